"""Kernels and device functions that several families share. Importing this package configures Numba.

`cache` sets the folder of compiled kernels, `small_grids` turns off a warning of Numba. `compiler` compiles kernels for
the CPU; `turns` sees to it that only one process compiles a kernel, and `fast_analysis` makes compiling faster.
`shipped` loads the kernels that come with the package, as `manifest` lists them; `compiling` reports compilations.
`scalar` is arithmetic for any compiler; `tours_cpu` makes random tours and applies moves; `distance_rows_cpu` computes
rows of distances. `local_search_moves` defines the 2-opt and Or-opt moves for `local_search_cpu`,
`local_search_tours_cpu` (several tours) and `local_search_cuda`; `segment_exchange_cpu` is for directed tours. On CUDA:
`device_cuda` (small functions, and their versions for the simulator; reductions of a block), `warp_cuda`,
`coherent_cuda` (reads that see other blocks' writes; a barrier of all blocks), `shared_memory_cuda`.
"""

from solvers.kernels.cache import use_cache
from solvers.kernels.small_grids import allow_small_grids

use_cache()
allow_small_grids()
