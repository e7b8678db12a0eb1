"""Threads that share a solver's work on the CPU."""
