"""Users' own solver files, named by ``--solver``: they run as the user's own code, and are never uploaded.

`loading` imports a file, or describes its fault in one sentence; `declarations` reads and checks what its solver
declares; `solver_file` makes a solver for the registry from it; `absent` stands for solvers that are missing. A server
never imports a file itself: a separate process does (`describe`), again after each change of the file (`watching`), and
workers run it.
"""
