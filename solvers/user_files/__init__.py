"""Users' own solver files, given by ``--solver``: run as the user's own code, never uploaded.

`loading` imports a file and describes its fault in one sentence, `declarations` reads and checks the declarations of
its solver, `solver_file` makes a solver for the registry from it. A server never imports a file itself: a separate
process does (`describe`), again after each change of the file (`watching`), and workers run it.
"""
