"""Ant System (Dorigo, Maniezzo and Colorni, 1996).

`cpu` is how its trails change on cores, `cuda` the launches of an iteration.
"""
