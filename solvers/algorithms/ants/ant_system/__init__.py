"""Ant System (Dorigo, Maniezzo and Colorni, 1996).

`cpu` updates the trails on the CPU; `cuda` has the kernel launches of an iteration. `depositors` chooses the tours that
deposit: all tours, or those that elitist or rank-based Ant System selects.
"""
