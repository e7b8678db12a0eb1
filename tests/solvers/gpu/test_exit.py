"""At the end of a process, Numba frees no GPU memory."""

from contextlib import contextmanager

from solvers.kernels.exit_cuda import never_release


class Context:
    """Like Numba's: a list of pending deallocations, which is kept while cleanup is deferred."""

    def __init__(self) -> None:
        self.waiting, self.freed, self.deferred = 0, 0, 0

    @contextmanager
    def defer_cleanup(self):
        self.deferred += 1
        try:
            yield
        finally:
            self.deferred -= 1

    def finalize(self) -> None:
        self.waiting += 1
        if self.waiting > 10 and not self.deferred:
            self.freed, self.waiting = self.freed + self.waiting, 0


def test_contexts_free_nothing_more():
    first, second, other = Context(), Context(), Context()
    never_release([first, second])
    for context in (first, second, other):
        for _ in range(25):
            context.finalize()
    assert (first.freed, second.freed, other.freed) == (0, 0, 22)
