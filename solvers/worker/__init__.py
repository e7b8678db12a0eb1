"""Worker processes, which exchange frames with the server through standard input and output.

`process` controls a worker; `fork_server` forks workers from a process that has loaded their modules, and
`fork_server_main` is that process's program. The worker's own program uses `worker_io`. `frames` is the binary format
of messages and run files, which browsers read too. `numba_cache` lets several workers write to Numba's cache,
`kernel_loading` lets forks compile some of a run's kernels, and `small_memory` keeps the forking process small. `ray`
starts workers on a cluster.
"""
