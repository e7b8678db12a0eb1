"""Runs in several MPI processes. See docs/mpi.md.

`rank_task` is the interface that an algorithm implements, `communicator` the interface by which processes exchange data
(it is itself the communicator of a single process), and `mpi_communicator` its implementation by MPI. `rendezvous`
makes processes wait for each other and end together. `shared_memory`, `shared_tables` and `huge_pages` handle memory
that the processes on a machine share. `launcher` finds mpiexec, `processes` manages the processes that it starts,
`connection` sends messages to them, `remote_run` is a run in such processes, and `rank` the program of each. `world` is
for command lines that mpiexec starts.
"""
