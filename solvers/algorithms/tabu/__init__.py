"""Tabu search (Glover, 1989) with 2-opt moves.

`cpu` runs one search per thread and finishes it by 2-opt; `reporter` turns searches into events in the order of their
index, with pictures of the tabu edges.
"""
