"""A server sends the first page's document and scripts before the page is built; all other requests wait."""

import asyncio
import re

import pytest

from components.document.opening import open_pages

BASE = "/below/"


def make_scope(path, kind="http"):
    return {
        "type": kind, "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8050), "state": {}, "headers": [(b"host", b"127.0.0.1"), (b"accept", b"text/html")],
    }  # fmt: skip


async def ask(server, path, kind="http"):
    """The server's first message and all bytes after it."""
    answer = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        answer.append(message)

    await server(make_scope(path, kind), receive, send)
    return answer[0], b"".join(each.get("body", b"") for each in answer[1:])


@pytest.fixture
def opened_app():
    return open_pages(BASE)


async def test_document_and_its_files_are_available_at_once(opened_app):
    head, document = await ask(opened_app.server, BASE)
    assert head["status"] == 200
    named = re.findall(r'(?:src|href)="(/below/(?:assets|_dash-component-suites)/[^"]+)"', document.decode())
    assert len(named) > 15
    assert any("dash_bootstrap_components" in each for each in named)
    assert {(await ask(opened_app.server, path.partition("?")[0]))[0]["status"] for path in named} == {200}


def test_scripts_are_available_to_a_page_of_the_previous_server(opened_app):
    """The browser already has the document, and requests a script first."""
    path = f"{BASE}_dash-component-suites/dash_bootstrap_components/_components/dash_bootstrap_components.min.js"
    assert asyncio.run(ask(opened_app.server, path))[0]["status"] == 200


@pytest.mark.parametrize("path", [f"{BASE}_dash-layout", f"{BASE}race/", f"{BASE}healthz", f"{BASE}none"])
async def test_all_other_requests_wait_until_startup(opened_app, path):
    asked = asyncio.create_task(ask(opened_app.server, path))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not asked.done()
    opened_app.ready.set_result(False)
    head, sentence = await asked
    assert (head["status"], sentence) == (503, b"The server is shutting down.")


async def test_stream_waits_too(opened_app):
    asked = asyncio.create_task(ask(opened_app.server, f"{BASE}stream", "websocket"))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not asked.done()
    opened_app.ready.set_result(False)
    assert (await asked)[0] == {"type": "websocket.close", "code": 1011}


async def test_cancelled_request_does_not_end_other_waits(opened_app):
    one, other = (asyncio.create_task(ask(opened_app.server, f"{BASE}_dash-layout")) for _ in range(2))
    for _ in range(20):
        await asyncio.sleep(0)
    one.cancel()
    await asyncio.gather(one, return_exceptions=True)
    assert not opened_app.ready.done()
    assert not other.done()
    opened_app.ready.set_result(False)
    assert (await other)[0]["status"] == 503


async def test_remaining_work_begins_after_the_server_has_started():
    begun = []
    app = open_pages(BASE, lambda: begun.append(True))

    came = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])
    before = []

    async def receive():
        before.append(len(begun))
        return next(came)

    async def send(message):
        before.append(message["type"])

    await app.server({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send)
    assert before.index("lifespan.startup.complete") > before.index(0)
    assert begun == [True]
