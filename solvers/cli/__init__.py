"""The command line: ``python -m solvers``.

`main` has the commands ``list`` and ``run``, `arguments` their arguments. `mpi` is the command line in processes that
``mpiexec`` has started. ``study`` is `studies.cli`.
"""
