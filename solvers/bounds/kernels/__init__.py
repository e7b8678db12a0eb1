"""Kernels of the bounds, on CPUs."""
