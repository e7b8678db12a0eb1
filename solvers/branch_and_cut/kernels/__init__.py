"""Kernels of branch-and-cut: exact reduced costs, and the cuts of a weighted graph."""
