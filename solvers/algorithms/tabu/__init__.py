"""Tabu search (Glover, 1989) with 2-opt moves.

`cpu` runs searches in threads and ends each with 2-opt; `reporter` reports searches in the order of their indices, with
pictures of the tabu edges.
"""
