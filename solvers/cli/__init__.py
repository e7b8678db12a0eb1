"""The command line: ``python -m solvers``.

`main` has the commands ``list``, ``run`` and ``study INSTANCE`` (`accuracy_study`), `arguments` their arguments. `mpi`
is the command line in processes that ``mpiexec`` has started. Studies of many algorithms are `studies.cli`.
"""
