"""Worker processes: how they start, communicate and end.

`protocol` defines the engine interface; `process` implements it with one process per run. Inside the worker: `worker`,
`commands` (its input), `warmup` (loads kernels in advance), `cpu_kernels` and `gpu_kernels` (compile all),
`kernel_package` and `gpu_kernel_package` (those that come with the package).
"""
