"""Threads that share a solver's work on the CPU, and `tour_search`, which improves many tours with them."""
