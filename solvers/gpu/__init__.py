"""Host code shared by all CUDA solvers.

`limits` describes a device's resources and occupancy, `launch` a kernel launch as an object, `graph` several launches
as one CUDA graph, `kernel_cache` stores compiled kernels on disk, `shipped` finds those that come with the package,
`capability` decides which GPUs can run a kernel, `calibration` contains constants tuned on one GPU, and `answer_cache`
stores the results of trials on this GPU. See docs/kernels.md.
"""
