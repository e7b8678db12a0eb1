"""Threads that share a solver's work on the CPU; `tour_search` shortens many tours by them."""
