"""The kernels' single-precision metric, and its comparison with the exact metric on the GPU."""

from numba import float32, int32, int64, uint32

from solvers.kernels.device_cuda import BIAS, EXACT, SINGLE, cuda, device


def build_single_metric(kind: str):
    """Build the metric of the papers' variants, a device function ``(dx, dy)`` that returns int32."""
    biased = SINGLE[kind]

    @device
    def metric(dx, dy):
        return int32(biased(dx, dy) - int32(BIAS))

    return metric


def _between(metric):
    @device
    def distance(points, a, b):
        dx = float32(points[a, 0]) - float32(points[b, 0])
        dy = float32(points[a, 1]) - float32(points[b, 1])
        return metric(dx, dy)

    return distance


def build_matrix_filler(metric):
    """Build a kernel ``(points, matrix)`` that writes the distances to ``matrix`` (n, n) int32, one block per row."""
    distance = _between(metric)

    @cuda.jit(fastmath=True)
    def fill(points, matrix):
        a, b = uint32(cuda.blockIdx.x), uint32(cuda.threadIdx.x)
        while b < uint32(matrix.shape[0]):
            matrix[a, b] = distance(points, a, b)
            b += uint32(cuda.blockDim.x)

    return fill


def build_difference_counter(metric, kind: str):
    """Build a kernel ``(points, first, count)`` that adds the number of differing distances to ``count`` (1,) int64.

    Block b compares the distances between city ``first`` + b and the cities after it.
    """
    distance, exact = _between(metric), EXACT[kind]

    @cuda.jit(fastmath=True)
    def differences(points, first, count):
        a, own = uint32(first + cuda.blockIdx.x), int64(0)
        b = a + uint32(1) + uint32(cuda.threadIdx.x)
        while b < uint32(points.shape[0]):
            if distance(points, a, b) != exact(points[a, 0] - points[b, 0], points[a, 1] - points[b, 1]):
                own += int64(1)
            b += uint32(cuda.blockDim.x)
        if own > 0:
            cuda.atomic.add(count, 0, own)

    return differences
