"""`python -m thrawl` is `thrawl`."""

from thrawl.cli.main import run

if __name__ == "__main__":  # worker processes may import it
    run()
