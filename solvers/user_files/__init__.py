"""Users' own solver files, named by ``--solver``: code of the person who starts the program, never uploaded.

`loading` imports a file and says in one sentence what is wrong with it, `declarations` reads what its solver declares
and checks that, `solver_file` makes a solver of the registry from it. A server never imports a file itself: a process
of its own does (`describe`), again whenever the file has changed (`watching`), and workers run it.
"""
