"""Kernels as Python's functions, for tests of few cities, where compiling takes far longer than interpreting."""

from types import FunctionType
from typing import Any

from numba.core.registry import CPUDispatcher


def interpret(kernel: Any, _made: dict[Any, Any] | None = None) -> Any:
    """Return the function of a kernel, which calls functions of kernels in turn."""
    made = {} if _made is None else _made
    if kernel not in made:
        if isinstance(kernel, FunctionType):  # in the simulator's short part they are not compiled
            return kernel
        function = kernel.py_func
        names = dict(function.__globals__)
        made[kernel] = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        for name in function.__code__.co_names:
            if isinstance(names.get(name), CPUDispatcher):
                names[name] = interpret(names[name], made)
    return made[kernel]
