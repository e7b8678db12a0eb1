"""How a scan of `strip` or `multi-move` is divided among threads. Plain Python, for host and kernels."""

from solvers.gpu.calibration import STRIP_REGISTERS

#: Number of columns between two checks of the minima; a part's number of columns is rounded up to a multiple of this.
STEP = 4
#: Maximum number of cities: each position of a move has 15 bits.
MAX_CITIES = 32_767


def geometry(n, rows, threads):
    """Divide a scan among threads.

    Parameters
    ----------
    n : int
        Number of cities.
    rows : int
        Number of positions in a strip.
    threads : int
        Number of threads in the block; if there are more than strips, several divide one strip's columns among them.

    Returns
    -------
    strips, parts, columns, extent : int
        Number of strips, of parts per strip, of columns per part, and of positions that store the tour, which begins
        again at position n.
    """
    strips = (n + rows - 1) // rows
    parts = max(1, min(threads // strips, n // (4 * rows)))
    # In the first part, the first rows - 2 columns include the strip's own edges.
    columns = max((n // 2 + rows - 2 + parts - 1) // parts, rows)
    columns = (columns + STEP - 1) // STEP * STEP
    return strips, parts, columns, strips * rows + parts * columns + STEP + 2


def fits(n: int, rows: int, threads: int) -> bool:
    """Return whether the tour is long enough: no thread comes round to its own edges again."""
    _, parts, columns, _ = geometry(n, rows, threads)
    return parts * columns + STEP + 1 <= n


def climb_words(n: int, rows: int, threads: int) -> int:
    """Return the size of a climb's arrays in 32-bit words; see `strip_scan_cuda.build_layout`."""
    extent = geometry(n, rows, threads)[3]
    return (3 * extent + 2 * n + 1) // 2 * 2 + 2 * n + threads


def max_climb_words(n: int) -> int:
    """Return an even number of 32-bit words that is enough for a climb with any number of threads."""
    return max(climb_words(n, rows, threads) for rows in STRIP_REGISTERS for threads in (32, 640)) + 2 & ~1
