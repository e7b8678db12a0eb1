"""Threads that share a solver's work on the CPU; `tour_search` improves many tours with them."""
