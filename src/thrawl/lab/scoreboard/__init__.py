"""The scoreboard: what Thrawl reaches on every site there is to measure on, in one file that commits must not lower."""
