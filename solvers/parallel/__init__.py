"""Threads that share a solver's work on the CPU.

`thread_team` is a team of such threads, `tour_search` improves many tours with a team, `population` changes tours
generation by generation, and `population_solver` is the base of solvers with a population.
"""
