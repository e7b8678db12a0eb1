"""Swarm algorithms: populations of tours that change at random, independently of each other within an iteration.

`swarm` is shared by both algorithms (tours, lengths, threads, local search), `solver` is the base of both solvers.
`particles` is particle swarm optimisation (Clerc, 2004), `bees` the artificial bee colony (Karaboga and Basturk, 2007).
"""
