"""The server's address: its port, the file that stores it, and opening it in a browser."""

import argparse
import contextlib
import os
import socket
import sys
import threading
from pathlib import Path

from data.lock import open_locked

#: File in the data folder with the address of the server that uses it.
ADDRESS = "address"


def listen(host: str, port: int) -> socket.socket:
    """Bind the port; on failure, exit with a message and status 1."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        sys.exit(f"Port {port} of {host} cannot be used ({reason}); choose another one with --port.")
    return listener


def write_address(home: Path, address: str) -> None:
    """Store this server's address, with the host's code, so that a second start can open it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(home / ADDRESS, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(address)


def open_running(options: argparse.Namespace) -> None:
    """If another server already uses the data folder, open its page and exit; otherwise do nothing."""
    try:
        descriptor, address = open_locked(options.home / "lock", 0), (options.home / ADDRESS).read_text()
    except OSError:
        return  # no server has used the folder, or it did not store its address
    if descriptor is not None:
        os.close(descriptor)
        return
    print(f"TourScope is running: {address}", flush=True)
    open_in_browser(address, wait=True)
    sys.exit(0)


def open_in_browser(address: str, wait: bool = False) -> None:
    """Open a page in the user's graphical browser, if any, waiting for the server."""
    import webbrowser

    names = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    if not sys.platform.startswith("linux") or any(map(os.environ.get, names)):
        opening = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)
        opening.start()
        if wait:
            opening.join()
