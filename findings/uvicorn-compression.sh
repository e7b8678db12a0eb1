#!/usr/bin/env bash
# uvicorn 0.54.0: WebSockets are compressed unless it is told otherwise, whatever is in a message.
# For binary messages that cannot become smaller that takes the server a hundred times its time.
# Guess before the run: at most twice the time.
# Seen: 0.002 s of the processor for 20 MB of random bytes without compression, 0.56 s with it (two
# shared cores of an Intel Xeon).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check uvicorn==0.54.0 websockets==17.4
"$folder/venv/bin/python" - <<'PY'
import asyncio
import os
import threading
import time

import uvicorn
import websockets

MESSAGE = os.urandom(1 << 20)


async def application(scope, receive, send):
    if scope["type"] != "websocket":
        return
    await send({"type": "websocket.accept"})
    begin = time.thread_time()
    for _ in range(20):
        await send({"type": "websocket.send", "bytes": MESSAGE})
    spent = time.thread_time() - begin
    await send({"type": "websocket.send", "text": str(spent)})


async def measure(**options):
    """Return the server's seconds of the processor, and the names of the extensions."""
    config = uvicorn.Config(application, port=0, log_config=None, lifespan="off", **options)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        await asyncio.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        async with websockets.connect(f"ws://127.0.0.1:{port}", max_size=None) as client:
            async for message in client:
                if isinstance(message, str):
                    return float(message), [each.name for each in client.protocol.extensions]
    finally:
        server.should_exit = True
        thread.join()


plain, none = asyncio.run(measure(ws_per_message_deflate=False))
default, extensions = asyncio.run(measure())
print(f"{plain:.4f} s {none}, {default:.4f} s {extensions}")
assert none == []
assert extensions == ["permessage-deflate"]
assert default > 20 * plain
PY
