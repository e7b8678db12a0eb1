"""A server answers with the first page's document and its scripts before the page is made; all else waits for that."""

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
    """The server's first message, and all bytes after it."""
    answer = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        answer.append(message)

    await server(make_scope(path, kind), receive, send)
    return answer[0], b"".join(each.get("body", b"") for each in answer[1:])


@pytest.fixture
def opened():
    return open_pages(BASE)


def test_the_document_and_all_that_it_loads_are_there_at_once(opened):
    async def load():
        head, document = await ask(opened.server, BASE)
        assert head["status"] == 200
        named = re.findall(r'(?:src|href)="(/below/(?:assets|_dash-component-suites)/[^"]+)"', document.decode())
        assert len(named) > 15
        assert any("dash_bootstrap_components" in each for each in named)
        return {path: (await ask(opened.server, path.partition("?")[0]))[0]["status"] for path in named}

    assert set(asyncio.run(load()).values()) == {200}


def test_scripts_are_there_for_a_page_that_was_loaded_from_a_server_before(opened):
    """Its browser has the document, and requests a script first."""
    path = f"{BASE}_dash-component-suites/dash_bootstrap_components/_components/dash_bootstrap_components.min.js"
    assert asyncio.run(ask(opened.server, path))[0]["status"] == 200


@pytest.mark.parametrize("path", [f"{BASE}_dash-layout", f"{BASE}race/", f"{BASE}healthz", f"{BASE}none"])
def test_all_else_waits_until_all_is_made(opened, path):
    async def wait():
        asked = asyncio.create_task(ask(opened.server, path))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not asked.done()
        opened.ready.set_result(False)
        return await asked

    head, sentence = asyncio.run(wait())
    assert (head["status"], sentence) == (503, b"The server is shutting down.")


def test_a_stream_waits_too(opened):
    async def wait():
        asked = asyncio.create_task(ask(opened.server, f"{BASE}stream", "websocket"))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not asked.done()
        opened.ready.set_result(False)
        return (await asked)[0]

    assert asyncio.run(wait()) == {"type": "websocket.close", "code": 1011}


def test_who_gives_up_waiting_does_not_end_the_waiting_of_others(opened):
    async def wait():
        one, other = (asyncio.create_task(ask(opened.server, f"{BASE}_dash-layout")) for _ in range(2))
        for _ in range(20):
            await asyncio.sleep(0)
        one.cancel()
        await asyncio.gather(one, return_exceptions=True)
        assert not opened.ready.done()
        assert not other.done()
        opened.ready.set_result(False)
        return (await other)[0]["status"]

    assert asyncio.run(wait()) == 503


def test_the_rest_begins_once_the_server_has():
    begun = []
    opened = open_pages(BASE, lambda: begun.append(True))

    async def begin():
        came = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])
        before = []

        async def receive():
            before.append(len(begun))
            return next(came)

        async def send(message):
            before.append(message["type"])

        await opened.server({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send)
        return before

    before = asyncio.run(begin())
    assert before.index("lifespan.startup.complete") > before.index(0)
    assert begun == [True]
