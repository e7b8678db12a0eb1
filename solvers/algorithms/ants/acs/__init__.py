"""Ant Colony System (Dorigo and Gambardella, 1997).

Its trails are stored as a list of the few edges that have ever been in a best tour: in `trails_cpu` on the CPU, in
`arrays_cuda` on a GPU. `cpu` is the colony on the CPU, and `walks_cpu` its ants' walks, one by one or in lockstep;
`cuda` has the launches of an iteration on a GPU. `mpi_colony` controls a colony in several MPI processes; `mpi` is the
task of each process.
"""
