"""Worker processes: starting them, communicating with them, ending them.

`protocol` defines the engine interface, `process` implements it with one process per run. Inside the worker: `worker`,
`commands` (its input), `warmup` (loads the kernels in advance), `cpu_kernels`
(compiles those of the CPU).
"""
