"""What all CUDA solvers share on the host: limits of a device, launches, graphs, compiled kernels."""
