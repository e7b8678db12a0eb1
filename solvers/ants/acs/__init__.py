"""Ant Colony System (Dorigo and Gambardella, 1997).

Its trails are a list of the few edges that ever were in a best tour: `trails_cpu` on cores, `arrays_cuda` on a GPU.
`cpu` is the colony on cores, `walks_cpu` its ants one by one or in lockstep, `cuda` the launches of an iteration.
`mpi_colony` is a colony in several processes, led from outside; `mpi` what one of these processes does.
"""
