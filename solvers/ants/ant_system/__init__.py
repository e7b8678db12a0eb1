"""Ant System (Dorigo, Maniezzo and Colorni, 1996)."""
