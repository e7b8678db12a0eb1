"""Runs ``python -m papers`` for a server, and ends it with all its child processes when the server ends.

The server holds the other end of this process's standard input, which closes however the server ends.
"""

import os
import signal
import sys
import threading

from papers.cli import main


def _exit_with(server: int) -> None:
    os.read(server, 1)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _watch_server() -> None:
    server = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # processes started by a recipe would keep it open
    threading.Thread(target=_exit_with, args=(server,), daemon=True).start()


if __name__ == "__main__":
    _watch_server()
    sys.exit(main())
