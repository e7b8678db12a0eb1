"""Families of algorithms, each a folder with its solvers, parameters, variants and kernels."""
