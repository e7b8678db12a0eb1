"""Lin-Kernighan with kicks: an iterated local search.

`cities_cpu` numbers the cities along a curve and finds their candidates, `start_cpu` makes the start tour, `cpu` works
on the tour in slices, `run` turns its rounds into events, `recorder` its exchanges into 2-opt moves; `load` loads the
kernels.
"""
