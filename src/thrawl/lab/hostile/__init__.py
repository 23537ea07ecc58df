"""The hostile web at size: mutated pages, a server that lies, kills, a soak. `benchmarks/hostile.py` runs all of it."""
