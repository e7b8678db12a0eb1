"""Leaves it to the driver to release Numba's GPU memory, streams and modules when the process exits.

At exit, Numba finalizes all remaining objects, and puts them on lists of objects to free. A list of more than ten
entries is emptied in whichever context is current. So modules may be unloaded while their GPU's context is not the
current one, and the process may end in "double free or corruption" although its work is done. The driver frees
everything when a process ends, so nothing needs to be freed before.
"""

import atexit
from collections.abc import Iterable
from typing import Any

#: Python contexts that defer cleanup as long as they are open.
_DEFERRING: list[Any] = []


def never_release(contexts: Iterable[Any]) -> None:
    """From now on, prevent GPU contexts from freeing anything.

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
    never_release(context for context in contexts if context is not None)


def register() -> None:
    """Register the exit handler; call this after importing Numba, since handlers run in reverse order."""
    atexit.register(_leave_to_driver)
