"""Host code shared by all CUDA solvers."""
