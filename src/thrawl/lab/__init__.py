"""Worlds, skins, the forum simulator and the experiments."""
