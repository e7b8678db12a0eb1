"""Computed answers: each is computed in a separate process with limits, once for all clients, and sent from a file.

`computations` is the server's executor, `program` runs in its processes, `answer` is the result of a function that
computes an answer. These functions are in `runs.web.downloads` and other modules, beside what they draw and write.
"""
