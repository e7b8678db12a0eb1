"""The policy shared by `strip` and `multi-move`: how tours are stored, started and measured."""

from numba import float32, uint32

from solvers.algorithms.two_opt.kernels.block_cuda import BlockPolicy, shuffle_tour
from solvers.algorithms.two_opt.kernels.block_rows_cuda import build_weigh
from solvers.algorithms.two_opt.kernels.strip_scan_cuda import Layout, pack
from solvers.kernels.device_cuda import EXACT, cuda, device


def build_policy(layout: Layout, improve, kind: str) -> BlockPolicy:
    """Build the policy; see `solvers.algorithms.two_opt.kernels.block_cuda.BlockPolicy`."""

    @device
    def fill(points, matrix, scratch, n):
        """Pack the cities' coordinates, once per launch."""
        packed = layout.arrays(scratch, n)[4]
        p = uint32(cuda.threadIdx.x)
        while p < n:
            packed[p] = pack(float32(points[p, 0]), float32(points[p, 1]))
            p = uint32(p + uint32(cuda.blockDim.x))
        cuda.syncthreads()

    @device
    def lay(points, order, scratch, n):
        along, edges, city, _, packed, _ = layout.arrays(scratch, n)
        p = uint32(cuda.threadIdx.x)
        while p < n:
            city[p] = order[p]
            p = uint32(p + uint32(cuda.blockDim.x))
        cuda.syncthreads()
        layout.lay(along, edges, city, packed, n)
        cuda.syncthreads()

    @device
    def save(order, scratch, n):
        city = layout.arrays(scratch, n)[2]
        p = uint32(cuda.threadIdx.x)
        while p < n:
            order[p] = city[p]
            p = uint32(p + uint32(cuda.blockDim.x))
        cuda.syncthreads()

    @device
    def shuffle(seed, climber, n, order, scratch):
        """Shuffle in the climb's arrays, where swaps are fast, and then copy the tour to ``order``."""
        _, _, city, swaps, _, _ = layout.arrays(scratch, n)
        shuffle_tour(seed, climber, n, city, swaps)
        save(order, scratch, n)

    return BlockPolicy(fill, lay, improve, save, build_weigh(EXACT[kind]), shuffle)
