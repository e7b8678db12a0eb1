"""Computed answers: each is computed once for all clients in a limited process, and sent from a file.

`computations` is the server's executor, `program` runs in its processes, `answer` is the result of a function that
computes an answer. These functions are in `runs.web.downloads` and other modules, beside the code that draws and writes
their contents.
"""
