#!/usr/bin/env bash
# Dash 4.4.1 on a FastAPI server: a plain callback runs on the event loop, unlike a plain route of
# FastAPI, which runs in a thread. While one visitor waits for a slow callback, nobody gets anything.
# Guess before the run: plain callbacks run in threads too.
# Seen: the callback runs in the thread of the loop, a route of the same server in another; a route
# that is requested during a callback of 1.5 s answers only after it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "dash[fastapi]==4.4.1" uvicorn==0.54.0 httpx==0.28.1
"$folder/venv/bin/python" - <<'PY'
import logging
import threading
import time

import httpx
import uvicorn
from dash import Dash, Input, Output, html
from fastapi import FastAPI

server = FastAPI()
threads, ends = {}, {}


@server.get("/quick")
def answer():
    threads["route"] = threading.current_thread()
    ends["route"] = time.monotonic()
    return "quick"


app = Dash(__name__, server=server)
app.layout = html.Div([html.Button(id="button"), html.Div(id="text")])


@app.callback(Output("text", "children"), Input("button", "n_clicks"))
def work(clicks):
    threads["callback"] = threading.current_thread()
    begun.set()
    time.sleep(1.5)
    ends["callback"] = time.monotonic()
    return str(clicks)


def click():
    httpx.post(f"{address}/_dash-update-component", json=CLICK, timeout=30).raise_for_status()


CLICK = {
    "output": "text.children",
    "outputs": {"id": "text", "property": "children"},
    "inputs": [{"id": "button", "property": "n_clicks", "value": 1}],
    "changedPropIds": ["button.n_clicks"],
    "state": [],
}
logging.disable()
begun = threading.Event()
running = uvicorn.Server(uvicorn.Config(server, port=0, log_config=None))
loop = threading.Thread(target=running.run)
loop.start()
while not running.started:
    time.sleep(0.05)
address = f"http://127.0.0.1:{running.servers[0].sockets[0].getsockname()[1]}"
try:
    httpx.get(address, timeout=30).raise_for_status()
    visitor = threading.Thread(target=click)
    visitor.start()
    assert begun.wait(30)
    httpx.get(f"{address}/quick", timeout=30).raise_for_status()
    visitor.join()
finally:
    running.should_exit = True
    loop.join()
print({name: thread is loop for name, thread in threads.items()}, ends["route"] > ends["callback"])
assert threads["callback"] is loop
assert threads["route"] is not loop
assert ends["route"] > ends["callback"]
PY
