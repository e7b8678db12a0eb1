"""Held-Karp, compared with Qin and Han (2022)."""
