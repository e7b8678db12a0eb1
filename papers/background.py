"""A measurement's program: ``python -m papers``, which ends with its server and takes along all that it has started.

Its server holds the other end of its standard input, which ends with the server, however that ends.
"""

import os
import signal
import sys
import threading

from papers.cli import main


def _end_with(server: int) -> None:
    os.read(server, 1)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _watch_server() -> None:
    server = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # what a recipe starts would hold it
    threading.Thread(target=_end_with, args=(server,), daemon=True).start()


if __name__ == "__main__":
    _watch_server()
    sys.exit(main())
