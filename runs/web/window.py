"""A window of its own for the page, by pywebview, in a process of its own: ``python -m runs.web.window ADDRESS``.

A window's loop needs the main thread of a process, and so does the server; and a fault of the system's web view ends
that process alone.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from data.command_line import install

_ROOT = Path(__file__).resolve().parents[2]
#: Pixels of the window, and the least that it can be made.
_SIZE, _LEAST = (1360, 880), (390, 500)
MISSING = f"--window needs the package pywebview: {install('pywebview')}."
_FAILED = "The window could not be opened ({reason}). The page is in a browser, at the address above."


class Window:
    """A window that shows a page.

    Parameters
    ----------
    address : str
        It must be listened at already.
    closed : callable
        Called when the person has closed it, in another thread; not if it could not be opened, which is told on
        standard error.
    """

    def __init__(self, address: str, closed: Callable[[], object]) -> None:
        path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
        # Ctrl-C in the terminal is for the server, which then closes the window
        apart: dict[str, Any] = {"start_new_session": True} if os.name == "posix" else {"creationflags": 0x200}
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, address], env={**os.environ, "PYTHONPATH": path}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", **apart,
        )  # fmt: skip
        self._ends = False
        threading.Thread(target=self._wait, args=(closed,), name="window", daemon=True).start()

    def close(self) -> None:
        """Close the window, if it is still open."""
        self._ends = True
        self._process.terminate()

    def _wait(self, closed: Callable[[], object]) -> None:
        errors = self._process.communicate()[1]
        if self._ends:
            return
        if self._process.returncode == 0:
            closed()
            return
        reason = (errors.strip().splitlines() or ["it ended at once"])[-1]
        print(_FAILED.format(reason=reason[:200]), file=sys.stderr, flush=True)


def is_available() -> bool:
    """Whether pywebview is installed."""
    return find_spec("webview") is not None


def main(address: str) -> None:
    """Show the window until it is closed."""
    import webview

    webview.settings["ALLOW_DOWNLOADS"] = True  # pictures, tables and files of runs are saved by the page
    webview.create_window(
        "TourScope", address, width=_SIZE[0], height=_SIZE[1], min_size=_LEAST, text_select=True, zoomable=True
    )
    webview.start(private_mode=False)  # the page keeps its theme and the progress of lessons


if __name__ == "__main__":
    main(sys.argv[1])
