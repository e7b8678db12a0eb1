"""Kernels of Ant System: pure functions of arrays.

`walk_block_cuda` is the variant ``block`` (Uchida, Ito and Nakano, 2012). Its selections are in `choice_block_cuda` and
have one signature; they are made of `roulette_cuda`, `stochastic_trial_cuda`, `i_roulette_cuda` (Cecilia et al., 2013),
`unvisited_cuda` (the unvisited cities) and `prefix_sums_cuda` (of whole rows). `walk_worker_cuda` and `walk_queen_cuda`
are the variants of Bitner (2025). `gather_deposit_cuda` and `histogram_cuda` collect deposits row by row;
`depositors_cuda` computes the deposits of elitist and rank-based Ant System.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
