"""Swarms: populations of tours that are changed by rules of chance, each by itself within an iteration.

`swarm` is what both algorithms share (tours, lengths, threads, local search), `run` turns iterations into events,
`solver` has the base of both solvers. `particles` is particle swarm optimisation (Clerc, 2004), `bees` the artificial
bee colony (Karaboga and Basturk, 2007).
"""
