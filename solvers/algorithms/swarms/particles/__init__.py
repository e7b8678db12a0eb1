"""Particle swarm optimisation of tours (Clerc, 2004)."""
