"""Runs in several processes by MPI. See docs/mpi.md.

`rank_task` is what an algorithm must be to take part, `communicator` what processes tell each other (and a single
process), `mpi_communicator` the same by MPI, `rendezvous` how they wait and end together. `shared_memory`,
`shared_tables` and `huge_pages` are memory that processes of a machine share. `launcher` finds mpiexec, `processes`
are those that it started, `connection` the messages to them, `remote_run` a run that is led so, `rank` the program
that each process runs, `world` the processes of a command line under mpiexec.
"""
