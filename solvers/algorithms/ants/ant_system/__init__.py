"""Ant System (Dorigo, Maniezzo and Colorni, 1996).

`cpu` updates its trails on the CPU; `cuda` has the kernel launches of an iteration. `depositors` chooses the tours that
deposit: all, or the tours that elitist or rank-based Ant System selects.
"""
