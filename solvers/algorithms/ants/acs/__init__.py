"""Ant Colony System (Dorigo and Gambardella, 1997).

Its trails are stored as a list of the few edges that have ever been in a best tour: `trails_cpu` on the CPU,
`arrays_cuda` on a GPU. `cpu` is the colony on the CPU, `walks_cpu` its ants' walks, one by one or in lockstep, `cuda`
the launches of an iteration. `mpi_colony` is a colony in several MPI processes, controlled by this one; `mpi` is the
task of each of them.
"""
