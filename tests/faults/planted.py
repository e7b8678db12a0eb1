"""A server with a defect, which the tests must find: ``python -m tests.faults.planted DEFECT [options of app.py]``."""

import sys
import time
from typing import Any

import app


def route() -> None:
    """A route that trusts its input."""
    from runs.web import instances

    def believes(_function: str, _run_service: Any, ref: str) -> Any:
        return {"name": ref[0]}[ref]

    instances.compute = believes


def stream() -> None:
    """A stream that trusts the contents of messages."""
    from runs.stream.session import Viewer

    handle = Viewer._handle

    async def believes(viewer: Viewer, message: dict[str, Any]) -> None:
        if message["op"] == "close" and message.get("run") not in viewer._watches:
            raise RuntimeError("no such run is watched")
        await handle(viewer, message)

    Viewer._handle = believes  # type: ignore[method-assign]


def slow() -> None:
    """Heads sent to one browser delay all others."""
    from runs.stream.session import Viewer

    send = Viewer._send_message

    async def holds_up(viewer: Viewer, *arguments: Any, **values: Any) -> None:
        if arguments[1] == "head":
            time.sleep(0.3)
        await send(viewer, *arguments, **values)

    Viewer._send_message = holds_up  # type: ignore[method-assign]


if __name__ == "__main__":
    {"route": route, "stream": stream, "slow": slow}[sys.argv.pop(1)]()
    app.main()
