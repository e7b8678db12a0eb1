"""Calls of the Python interface, answered in a separate process: ``python -m runs.calls``.

The caller is the package ``tourscope/``, which imports no other package of the program. Frames
(`solvers.worker.frames`) go both ways over standard input and output. `__main__` defines the messages, `instances`
resolves the instance of a call, `own_solvers` registers the caller's own solvers.
"""
