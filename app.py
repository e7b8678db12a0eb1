"""Start TourScope: ``python app.py`` serves the page."""

import argparse
import logging
import os
import secrets
import signal
import socket
import sys
from pathlib import Path
from typing import Any


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="app.py", description="Watch solvers of the Travelling Salesman Problem.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8050, help="port to listen at, 0 for any (default: %(default)s)")
    parser.add_argument("--share", action="store_true", help="let others in, with the join code in the printed address")
    home = os.environ.get("TOURSCOPE_HOME", Path.home() / ".tourscope")
    parser.add_argument("--home", type=Path, default=Path(home), help="data folder (default: %(default)s)")
    parser.add_argument("--base-path", default="/", help="what all addresses begin with (default: %(default)s)")
    given = parser.parse_args()
    given.base_path = f"/{given.base_path.strip('/')}/".replace("//", "/")
    if not given.share and given.host not in ("127.0.0.1", "localhost", "::1"):
        parser.error(f"--host {given.host} would let others in: add --share if they may")
    return given


def listen(host: str, port: int) -> socket.socket:
    """Take the port; a sentence and exit status 1 if it cannot be had."""
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


def create(home: Path, base: str) -> tuple[Any, Any]:
    """The Dash application and the desk behind it; imported here, so that a port that is taken is told at once."""
    from dash import Dash
    from fastapi import FastAPI

    from components import page
    from runs.callback_guard import CallbackGuard
    from runs.desk import Desk
    from runs.process import ProcessEngine
    from runs.web import add_routes

    desk = Desk(home, ProcessEngine)
    server: Any = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    add_routes(server, desk, base)
    server.add_middleware(CallbackGuard, known=lambda: app.callback_map)
    app: Dash = Dash(__name__, server=server, title="TourScope", update_title="", url_base_pathname=base)
    page.build(app, desk)
    return app, desk


def serve(given: argparse.Namespace, listener: socket.socket) -> None:
    """Serve until a signal ends it."""
    import uvicorn

    from runs.adoption import MAX_RUN_BYTES
    from runs.guard import Guard, hashes
    from runs.home import HomeTaken
    from runs.memory import return_large_blocks

    return_large_blocks()
    os.environ["TOURSCOPE_HOME"] = str(given.home)  # where `data.shelf` looks for the user's own instances
    try:
        app, desk = create(given.home, given.base_path)
    except (HomeTaken, OSError) as error:
        sys.exit(str(error))
    join_code = secrets.token_urlsafe(12) if given.share else None
    scripts = [*app.csp_hashes(), *hashes(app.index_string)]
    uploads = {f"{given.base_path}runs": MAX_RUN_BYTES}
    guarded = Guard(app.server, given.host, join_code, scripts, uploads)
    host = f"[{given.host}]" if ":" in given.host else given.host
    joining = f"?join={join_code}" if join_code else ""
    print(f"TourScope: http://{host}:{listener.getsockname()[1]}{given.base_path}{joining}", flush=True)
    config = uvicorn.Config(guarded, log_level="warning", ws_per_message_deflate=False, ws_max_size=1 << 16)
    config.timeout_graceful_shutdown = 1
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        desk.close()


def main() -> None:
    """Take the port first, so that a second server fails at once and leaves nothing behind."""
    given = arguments()
    logging.basicConfig(format="%(asctime)s %(name)s: %(message)s")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        serve(given, listen(given.host, given.port))
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
