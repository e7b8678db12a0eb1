"""TourScope: watch solvers of the Travelling Salesman Problem at work.

`command` is the command ``tourscope``; `program` finds the program, whose folders are no packages of this process: they
are on the path of the program's own processes alone.
"""
