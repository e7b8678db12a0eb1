"""Leaves Numba's memory, streams and modules on GPUs to the driver when the process ends.

At the interpreter's end Numba finalizes whatever is left, and puts it on the lists of what waits to be freed. A list
that is then longer than ten is emptied, whichever context is current: modules are unloaded while their GPU's context
is not the current one, and the process may end by "double free or corruption" after its work is done. The driver takes
everything back when a process ends, so nothing need be freed.
"""

import atexit
from collections.abc import Iterable
from typing import Any

#: What defers cleanup, as long as it is kept.
_DEFERRING: list[Any] = []


def keep_until_the_end(contexts: Iterable[Any]) -> None:
    """Let contexts free nothing from now on.

    Parameters
    ----------
    contexts : iterable of numba.cuda Context
    """
    for context in contexts:
        _DEFERRING.append(context.defer_cleanup())
        _DEFERRING[-1].__enter__()


def _leave_to_driver() -> None:
    from numba.cuda.cudadrv.driver import driver

    contexts = [device.primary_context for device in driver.list_devices()]
    keep_until_the_end(context for context in contexts if context is not None)


def register() -> None:
    """Register the handler after Numba's import, since handlers run in reverse order."""
    atexit.register(_leave_to_driver)
