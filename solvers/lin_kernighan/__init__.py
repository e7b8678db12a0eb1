"""Lin-Kernighan with kicks: an iterated local search.

`cities_cpu` numbers the cities along a curve and finds their candidates, `start_cpu` makes the start tour, `cpu` works
on the tour in slices, `merged_cpu` makes several and crosses them, `cuda` works with kicks that a GPU makes,
`merged_cuda` with several tours that it kicks, `islands_cuda` with those of several GPUs, `sections_cuda` with sections
of a tour of many cities, `pieces_cpu` improves pieces of such a tour, `regions_cpu` kicks regions of it on all cores,
`directed_cpu` has directed instances, `run` turns rounds into events, `recorder` exchanges into 2-opt moves; `load`
loads the kernels, `variants` is the table of variants.
"""
