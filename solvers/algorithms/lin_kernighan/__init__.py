"""Lin-Kernighan with kicks, an iterated local search.

`candidates_cpu` numbers the cities along a curve and finds their candidates; `nearness_cpu` reduces these. `start_cpu`
makes the start tour, `cpu` improves it in slices, `merged_cpu` makes several tours and crosses them. `cuda` makes kicks
on a GPU, `merged_cuda` kicks several tours there, `islands_cuda` has populations on several GPUs, and `large_cuda`
kicks a large tour on several GPUs. `regions_cpu` improves regions of a tour on all cores. `directed_cpu` handles
directed instances, `paths_cpu` paths. `run` turns rounds into events, `recorder` turns exchanges into 2-opt moves.
`schedule` decides the kind of search; `load` loads the kernels, `variants` is the table of variants.
"""
