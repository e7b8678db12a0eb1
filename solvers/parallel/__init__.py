"""Threads of a solver on the CPU."""
