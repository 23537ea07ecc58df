"""Threads and posts kept safe."""
