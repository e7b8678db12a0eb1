"""Calls of the Python interface: ``python -m runs.calls`` answers them, in a process of its own.

The caller's end is the package ``tourscope/``, which imports nothing of the program. Frames (`solvers.worker.frames`)
go both ways on standard input and output; `__main__` has the messages, `instances` what a call says of its instance,
`own_solvers` the solvers of the caller's own.
"""
