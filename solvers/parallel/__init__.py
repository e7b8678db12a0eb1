"""Threads that share the work of a solver on the CPU."""
