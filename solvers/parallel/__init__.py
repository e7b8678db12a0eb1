"""Threads that share a solver's work on the CPU.

`tour_search` improves many tours with them, `population` changes tours generation by generation, `population_solver` is
the base of solvers with a population.
"""
