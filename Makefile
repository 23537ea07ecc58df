# Everything that a developer or a first-time user does, by one word each.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check bench format clean

demo: .venv/ready  ## crawl the built-in forum on loopback and show the result
	$(BIN)/thrawl demo

test: .venv/ready  ## all tests
	$(BIN)/python -m pytest -n 2 --dist worksteal

check: .venv/ready  ## lint, format and types
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy

bench: .venv/ready  ## speed, each figure as a ratio within one run
	for file in benchmarks/bench_*.py; do $(BIN)/python $$file || exit 1; done

format: .venv/ready
	$(BIN)/ruff check --fix src tests benchmarks
	$(BIN)/ruff format src tests benchmarks

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache

.venv/ready: pyproject.toml constraints.txt scripts/setup
	PYTHON=$(PYTHON) scripts/setup
	touch $@
