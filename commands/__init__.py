"""The command line: ``python -m solvers``, which an installed package calls ``tourscope``.

`main` implements the commands ``list`` and ``run``, `bound` and `check` the commands of the same names; `arguments`
parses their arguments. `mpi` is the command line in processes started by ``mpiexec``. ``study`` is in `studies.cli`.
"""
