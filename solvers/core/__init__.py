"""Contracts between solvers and the rest of the program, and code shared by several families of algorithms.

The contracts: `solver` (a solver and its job), `variant`, `events`, `params`, `stop` (budgets), `machine` (its devices
and memory, with `devices`), `errors`. For several families: `neighbours`, `kernel_distances` (an instance's distances
as arrays for kernels), `memory`, `sources` (citations).
"""
