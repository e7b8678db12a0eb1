"""Held-Karp, the exact solution by dynamic programming (Held and Karp, 1962)."""
