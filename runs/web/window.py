"""Shows the page in its own window through pywebview in a separate process: ``python -m runs.web.window ADDRESS``.

Both the window's loop and the server need the main thread of a process. With separate processes, a fault of the
system's web view does not affect the server.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from data.command_line import format_install_command

_ROOT = Path(__file__).resolve().parents[2]
#: Size of the window in pixels, and its minimum.
_SIZE, _MIN_SIZE = (1360, 880), (390, 500)
MISSING = f"--window needs the package pywebview: {format_install_command('pywebview')}."
_FAILED = "The window could not be opened ({reason}). The page is in a browser, at the address above."


class Window:
    """A window that shows a page.

    Parameters
    ----------
    address : str
        Address of the page; the server must already be listening.
    on_close : callable
        Called in another thread when the window is closed. It is not called if the window cannot be opened; the error
        goes to standard error.
    """

    def __init__(self, address: str, on_close: Callable[[], object]) -> None:
        path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
        # Ctrl-C in the terminal ends the server, which then closes the window
        group: dict[str, Any] = {"start_new_session": True} if os.name == "posix" else {"creationflags": 0x200}
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, address], env={**os.environ, "PYTHONPATH": path}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", **group,
        )  # fmt: skip
        self._ends = False
        threading.Thread(target=self._wait, args=(on_close,), name="window", daemon=True).start()

    def close(self) -> None:
        """Close the window if it is still open."""
        self._ends = True
        self._process.terminate()

    def _wait(self, on_close: Callable[[], object]) -> None:
        errors = self._process.communicate()[1]
        if self._ends:
            return
        if self._process.returncode == 0:
            on_close()
            return
        reason = (errors.strip().splitlines() or ["it ended at once"])[-1]
        print(_FAILED.format(reason=reason[:200]), file=sys.stderr, flush=True)


def is_available() -> bool:
    """Return whether pywebview is installed."""
    return find_spec("webview") is not None


def main(address: str) -> None:
    """Show the window until it is closed."""
    import webview

    webview.settings["ALLOW_DOWNLOADS"] = True  # the page saves pictures, tables and files of runs
    webview.create_window(
        "TourScope", address, width=_SIZE[0], height=_SIZE[1], min_size=_MIN_SIZE, text_select=True, zoomable=True
    )
    webview.start(private_mode=False)  # the page stores its theme and the progress of lessons


if __name__ == "__main__":
    main(sys.argv[1])
