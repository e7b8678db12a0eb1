"""Worker processes, which exchange frames with the server through standard input and output.

`process` controls a worker, `fork_server` forks several from a process that has loaded their modules
(`fork_server_main` is its program), `worker_io` is used by the worker's own program, `frames` is the binary format of
messages, run files and browsers. `numba_cache` lets several workers write Numba's cache, and
`kernel_loading` lets a fork compile some of a run's kernels.
"""
