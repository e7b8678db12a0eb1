"""A barrier and a critical section for threads that run a kernel together.

`shared` is int64 (SHARED,), initially 0. It contains the number of threads that have arrived, the number of barriers so
far, and whether the section is taken, each on a cache line of its own. A waiting thread spins for a few microseconds
and then lets others run, since there may be more threads than cores.
"""

import ctypes
import sys
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from solvers.kernels.compiler import njit

if sys.platform == "win32":  # Windows has another name for this function
    llvm.add_symbol("sched_yield", ctypes.cast(ctypes.windll.kernel32.SwitchToThread, ctypes.c_void_p).value or 0)
_let_others_run = types.ExternalFunction("sched_yield", types.int32())


#: Length of `shared`, indices of its words, and number of reads before a thread yields.
SHARED = 24
_ARRIVED, _BARRIERS, _LOCKED = 0, 8, 16
_SPINS = 1 << 10


def _place(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
    return cgutils.gep_inbounds(builder, data, arguments[1])


def _build_atomic(operation: str) -> Any:
    """Build an intrinsic ``(shared, k, value)`` that changes ``shared[k]`` atomically and returns the old value."""

    @intrinsic
    def change(_typing: Any, shared: Any, k: Any, value: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = _place(context, builder, signature, arguments)
            return builder.atomic_rmw(operation, place, arguments[2], "seq_cst")

        return types.int64(shared, types.int64, types.int64), build

    return change


def _build_atomic_read() -> Any:
    """Build an intrinsic ``(shared, k)`` that reads the current ``shared[k]``."""

    @intrinsic
    def read(_typing: Any, shared: Any, k: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load_atomic(_place(context, builder, signature, arguments), "seq_cst", 8)

        return types.int64(shared, types.int64), build

    return read


_read, _add, _write = _build_atomic_read(), _build_atomic("add"), _build_atomic("xchg")


@njit(forceinline=True)
def _wait_while(shared, k, value):
    """Wait while ``shared[k]`` is `value`."""
    tries = 0
    while _read(shared, k) == value:
        tries += 1
        if tries % _SPINS == 0:
            _let_others_run()


@njit(forceinline=True)
def wait_for_threads(shared, threads):
    """Wait until all `threads` threads have reached this call."""
    barrier = _read(shared, _BARRIERS)
    if _add(shared, _ARRIVED, 1) == threads - 1:
        _write(shared, _ARRIVED, 0)
        _add(shared, _BARRIERS, 1)
    _wait_while(shared, _BARRIERS, barrier)


@njit(forceinline=True)
def enter(shared):
    """Wait until no other thread is in the critical section, and enter it."""
    while _write(shared, _LOCKED, 1) != 0:
        _wait_while(shared, _LOCKED, 1)


@njit(forceinline=True)
def leave(shared):
    """Leave the critical section."""
    _write(shared, _LOCKED, 0)
