"""What all CUDA solvers share on the host.

`limits` is what a device has and holds at once, `launch` a launch as a value, `graph` several of them as one CUDA
graph, `kernel_cache` compiled kernels on disk. See docs/gpu.md.
"""
