"""Runs in several processes by MPI. See docs/mpi.md.

`rank_task` is the interface that an algorithm implements, `communicator` the interface by which processes exchange data
(itself that of a single process), `mpi_communicator` its implementation by MPI, `rendezvous` the waiting and the common
end. `shared_memory`, `shared_tables` and `huge_pages` handle memory that processes of a machine share. `launcher` finds
mpiexec, `processes` holds the processes that it started, `connection` carries the messages to them, `remote_run` is a
run in such processes, `rank` the program that each of them runs, `world` the processes of a command line under mpiexec.
"""
