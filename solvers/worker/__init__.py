"""Worker processes: they exchange frames with the server on their standard input and output.

`process` starts and controls a worker, `own_end` is used by the worker's own program, `frames` is the binary format of
their messages, which run files and browsers use as well.
"""
