"""What all CUDA solvers share on the host.

`limits` is what a device has and holds at once, `launch` a launch as a value, `graph` several of them as one CUDA
graph, `kernel_cache` compiled kernels on disk, `capability` which GPUs can run a kernel, and `calibration` every
constant that was tuned on one GPU. See docs/gpu.md.
"""
