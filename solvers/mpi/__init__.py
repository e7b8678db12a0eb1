"""Runs in several MPI processes. See docs/mpi.md.

`rank_task` is the interface that an algorithm implements, `communicator` the interface by which processes exchange data
(by itself, it is the communicator of a single process), `mpi_communicator` its implementation by MPI, `rendezvous` the
waiting and the common end. `shared_memory`, `shared_tables` and `huge_pages` handle memory shared by the processes of a
machine. `launcher` finds mpiexec, `processes` manages the processes that it started, `connection` sends messages to
them, `remote_run` is a run in such processes, `rank` the program of each of them, `world` the processes of a command
line under mpiexec.
"""
