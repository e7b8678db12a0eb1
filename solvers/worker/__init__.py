"""Worker processes: they exchange frames with the server on their standard input and output.

`process` controls a worker, `fork_server` forks several from a process that has loaded what they need
(`fork_server_main` is its program), `worker_io` is used by the worker's own program, `frames` is the binary format of
their messages, which run files and browsers use as well. `numba_cache` lets several of them write Numba's cache,
`kernel_loading` has a fork compile some of a run's kernels.
"""
