"""Simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983) with 2-opt moves."""
