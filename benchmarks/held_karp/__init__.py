"""Held-Karp, beside Qin and Han (2022)."""
