"""One climber per thread: `matr_s`, `matr_g`, `matr_g_ro`, `calc` of O'Neil and Burtscher (2015), slides 10 to 20."""

from numba import float32, int32, uint8, uint32

from solvers.algorithms.two_opt.kernels.thread_cuda import ThreadPolicy, build
from solvers.kernels.device_cuda import BIAS, EXACT, SINGLE, as_bits, as_float, cuda, device, load_read_only


@device
def nothing_to_fill(matrix, n):
    """Do nothing, as the matrix is read from global memory."""


@device
def nothing_to_move(home, slot, slots, n):
    """Do nothing, as the tour is scanned in place."""


@device
def fill_matrix(matrix, n):
    """Copy the matrix to the start of shared memory."""
    shared = cuda.shared.array(0, int32)
    k = uint32(cuda.threadIdx.x)
    while k < n * n:
        shared[k] = matrix[k]
        k += uint32(cuda.blockDim.x)
    cuda.syncthreads()


@device
def byte_position(n, k):
    """Return where position k of the thread's tour is in shared memory: four bytes per word, one bank per thread."""
    word = uint32(uint32(k >> uint32(2)) * uint32(cuda.blockDim.x)) + uint32(cuda.threadIdx.x)
    return uint32(uint32(4) * uint32(n * n + word)) + uint32(k & uint32(3))


@device
def get_byte(home, slot, slots, n, k):
    """Read the city at position k from shared memory."""
    return int32(cuda.shared.array(0, uint8)[uint32(byte_position(n, k))])


@device
def at_byte(home, slot, slots, n, k):
    """Return the city at position k as a matrix index."""
    return uint32(cuda.shared.array(0, uint8)[uint32(byte_position(n, k))])


@device
def put_byte(points, home, slot, slots, n, k, city):
    """Write the city at position k."""
    cuda.shared.array(0, uint8)[byte_position(n, k)] = city


@device
def load_bytes(home, slot, slots, n):
    """Copy the tour from global memory."""
    tour = cuda.shared.array(0, uint8)
    for k in range(n + uint32(1)):
        tour[byte_position(n, uint32(k))] = home[uint32(k) * slots + slot]


@device
def save_bytes(home, slot, slots, n):
    """Copy the tour to global memory."""
    tour = cuda.shared.array(0, uint8)
    for k in range(n + uint32(1)):
        home[uint32(k) * slots + slot] = tour[byte_position(n, uint32(k))]


@device
def get_word(home, slot, slots, n, k):
    """Read the city at position k from global memory."""
    return home[uint32(k * slots + slot)]


@device
def at_word(home, slot, slots, n, k):
    """Return the city at position k as a matrix index."""
    return uint32(home[uint32(k * slots + slot)])


@device
def put_word(points, home, slot, slots, n, k, city):
    """Write the city at position k."""
    home[k * slots + slot] = city


@device
def at_coordinates(home, slot, slots, n, k):
    """Read the coordinates at position k."""
    x = uint32(uint32(n + uint32(1) + k) * slots + slot)
    return as_float(home[x]), as_float(home[uint32(x + uint32(n + uint32(1)) * slots)])


@device
def put_coordinates(points, home, slot, slots, n, k, city):
    """Write the city and its coordinates at position k."""
    x = (n + uint32(1) + k) * slots + slot
    home[k * slots + slot] = city
    home[x] = as_bits(float32(points[city, 0]))
    home[x + (n + uint32(1)) * slots] = as_bits(float32(points[city, 1]))


@device
def shared_distance(matrix, n, a, b):
    """Read an entry of the matrix in shared memory."""
    return cuda.shared.array(0, int32)[uint32(a * n + b)]


@device
def global_distance(matrix, n, a, b):
    """Read an entry of the matrix in global memory."""
    return matrix[uint32(uint32(a) * n + uint32(b))]


@device
def read_only_distance(matrix, n, a, b):
    """Read an entry of the matrix through the read-only cache."""
    return load_read_only(matrix, uint32(a * n + b))


@device
def weigh(points, matrix, n, a, b):
    """Read the length of an edge from the matrix."""
    return matrix[uint32(uint32(a) * n + uint32(b))]


_IN_GLOBAL = nothing_to_move, nothing_to_move, get_word, put_word, at_word
_AS_BYTES = load_bytes, save_bytes, get_byte, put_byte, at_byte
_IN_ORDER = nothing_to_move, nothing_to_move, get_word, put_coordinates, at_coordinates


def build_matr_s(kind: str, n: int, threads: int):
    """Build the kernel of ``matr_s``."""
    return build(ThreadPolicy(fill_matrix, *_IN_GLOBAL, shared_distance, weigh), 1)


def build_matr_s_two_rows(kind: str, n: int, threads: int):
    """Build the kernel of ``matr_s`` for two rows, with tours as bytes in shared memory; n is at most 255."""
    return build(ThreadPolicy(fill_matrix, *_AS_BYTES, shared_distance, weigh), 2)


def build_matr_g(kind: str, n: int, threads: int):
    """Build the kernel of ``matr_g``."""
    return build(ThreadPolicy(nothing_to_fill, *_IN_GLOBAL, global_distance, weigh), 1)


def build_matr_g_two_rows(kind: str, n: int, threads: int):
    """Build the kernel of ``matr_g`` for two rows."""
    return build(ThreadPolicy(nothing_to_fill, *_IN_GLOBAL, global_distance, weigh), 2)


def build_matr_g_ro(kind: str, n: int, threads: int):
    """Build the kernel of ``matr_g_ro``."""
    return build(ThreadPolicy(nothing_to_fill, *_IN_GLOBAL, read_only_distance, weigh), 1)


def build_matr_g_ro_two_rows(kind: str, n: int, threads: int):
    """Build the kernel of ``matr_g_ro`` for two rows."""
    return build(ThreadPolicy(nothing_to_fill, *_IN_GLOBAL, read_only_distance, weigh), 2)


def _build_calculated(kind: str) -> ThreadPolicy:
    metric, exact = SINGLE[kind], EXACT[kind]

    @device
    def measured(matrix, n, a, b):
        return int32(metric(a[0] - b[0], a[1] - b[1]) - int32(BIAS))

    @device
    def weigh_exactly(points, matrix, n, a, b):
        return exact(points[a, 0] - points[b, 0], points[a, 1] - points[b, 1])

    return ThreadPolicy(nothing_to_fill, *_IN_ORDER, measured, weigh_exactly)


def build_calc(kind: str, n: int, threads: int):
    """Build the kernel of ``calc``."""
    return build(_build_calculated(kind), 1)


def build_calc_two_rows(kind: str, n: int, threads: int):
    """Build the kernel of ``calc`` for two rows."""
    return build(_build_calculated(kind), 2)
