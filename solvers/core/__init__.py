"""Contracts between solvers and the rest of the program, and code that several families of algorithms share.

The contracts: `solver` (a solver and its job), `variant`, `events`, `params`, `stop` (budgets), `machine` and `devices`
(a machine's devices and memory), `errors`. For several families: `neighbours`, `kernel_distances` (an instance's
distances as arrays for kernels), `doubled_cities` (directed tours as symmetric ones), `memory`, `sources` (citations).
"""
