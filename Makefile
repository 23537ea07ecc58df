# Everything that a developer or a first-time user does, by one word each.
PYTHON ?= python3
BIN := .venv/bin
SHARED ?= ../shared
LOWEST := tests/net tests/page tests/archive tests/test_api.py tests/test_scrapy.py  # what stands next to the libraries
# Some of it, which meets every library in a minute.
LOWEST_PART := $(addprefix tests/net/test_,decode.py warc.py tls.py robots.py browser_cookies.py) tests/page/test_tree.py \
	tests/archive/test_opening.py tests/archive/test_export.py::test_parquet_has_real_times_and_lists tests/web/test_wacz.py \
	tests/web/test_serve.py tests/refresh/test_signals.py tests/refresh/test_predictors.py::test_parts_of_speech_are_counted \
	tests/test_scrapy.py tests/cli/test_fleet.py tests/fleet/test_ray.py \
	tests/crawl/test_media.py::test_a_store_keeps_each_content_once_and_hands_it_out_again

.PHONY: demo test test-lowest test-lowest-part check bench hostile score format clean

demo: .venv/ready  ## crawl the built-in forum on loopback and show the result
	$(BIN)/thrawl demo

test: .venv/ready  ## all tests; those on PostgreSQL run on a throwaway server of their own
	scripts/postgres
	scripts/browser
	$(BIN)/python -m pytest -n 2 --dist worksteal

test-lowest: .venv-lowest/ready  ## the lowest versions in pyproject.toml are versions that work
	.venv-lowest/bin/python -m pytest -n 2 --dist worksteal -p no:cacheprovider $(LOWEST)

test-lowest-part: LOWEST := $(LOWEST_PART)
test-lowest-part: test-lowest  ## the same in a minute, for CI

check: .venv/ready  ## lint, format and types
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy

bench: .venv/ready  ## speed, each figure as a ratio within one run
	for file in benchmarks/bench_*.py; do $(BIN)/python $$file || exit 1; done

hostile: .venv/ready  ## the hostile web at size, a table at the end; PARTS="lies fuzzing --pages 1000" for less
	$(BIN)/python benchmarks/hostile.py $(PARTS)

score: .venv/ready  ## every figure there is, into scoreboard.json; SHARED names the folder of mirrors
	$(BIN)/python -m thrawl.lab.scoreboard $(SHARED) -o scoreboard.json
	$(BIN)/python -m thrawl.lab.scoreboard $(SHARED) -o scoreboard.json --shipped --forums 8

format: .venv/ready
	$(BIN)/ruff check --fix src tests benchmarks
	$(BIN)/ruff format src tests benchmarks

clean:
	rm -rf .venv .venv-lowest .mypy_cache .ruff_cache .pytest_cache

.venv/ready: pyproject.toml constraints.txt scripts/setup hatch_build.py \
		$(wildcard src/thrawl/page/_*.pyx src/thrawl/page/_*.pxi) \
		$(addprefix src/thrawl/refresh/,decay.py heads.py _decay.pxd _heads.pxd)
	PYTHON=$(PYTHON) scripts/setup
	touch $@

.venv-lowest/ready: pyproject.toml scripts/lowest
	rm -rf .venv-lowest && $(PYTHON) -m venv .venv-lowest
	$(PYTHON) scripts/lowest >.venv-lowest/requirements.txt
	.venv-lowest/bin/python -m pip install --quiet uv  # which finds versions that agree in seconds, pip in minutes
	.venv-lowest/bin/uv pip install --quiet --python .venv-lowest/bin/python --requirement .venv-lowest/requirements.txt --editable .
	touch $@
