"""The command line: ``python -m solvers``.

`main` implements the commands ``list`` and ``run``; `arguments` parses their arguments. `mpi` is the command line in
processes started by ``mpiexec``. ``study`` is in `studies.cli`.
"""
