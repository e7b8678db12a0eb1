"""What threads that run one kernel together share: a barrier, and a critical section that one of them is in at a time.

`shared` is int64 (3,), 0 before the first: the threads that have arrived, the barriers so far, whether the section is
taken. Who waits lets others run, so that there may be more threads than cores.
"""

import ctypes
import sys
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from solvers.kernels.compiler import njit

if sys.platform == "win32":  # which has it by another name
    llvm.add_symbol("sched_yield", ctypes.cast(ctypes.windll.kernel32.SwitchToThread, ctypes.c_void_p).value or 0)
_let_others_run = types.ExternalFunction("sched_yield", types.int32())


def _atomic(operation: str) -> Any:
    """An intrinsic ``(shared, k, value)`` that changes ``shared[k]`` in one step, and returns what was there."""

    @intrinsic
    def change(_typing: Any, shared: Any, k: Any, value: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
            place = cgutils.gep_inbounds(builder, data, arguments[1])
            return builder.atomic_rmw(operation, place, arguments[2], "seq_cst")

        return types.int64(shared, types.int64, types.int64), build

    return change


_add, _write = _atomic("add"), _atomic("xchg")


@njit(forceinline=True)
def meet(shared, threads):
    """Wait until so many threads have called this."""
    turn = _add(shared, 1, 0)
    if _add(shared, 0, 1) == threads - 1:
        _write(shared, 0, 0)
        _add(shared, 1, 1)
    while _add(shared, 1, 0) == turn:
        _let_others_run()


@njit(forceinline=True)
def enter(shared):
    """Wait until no thread is in the critical section."""
    while _write(shared, 2, 1) != 0:
        _let_others_run()


@njit(forceinline=True)
def leave(shared):
    """Let another thread into the critical section."""
    _write(shared, 2, 0)
