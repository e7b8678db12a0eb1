"""The guard admits permitted requests only."""

import asyncio
import contextlib
import json
import re
import secrets
from pathlib import Path

import dash
import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from runs.web import callback_guard, join_codes
from runs.web.callback_guard import CallbackGuard
from runs.web.guard import MAX_BODY, Guard, GuardConfig, hashes
from runs.web.join_codes import JOIN_BYTES, JOIN_COOKIE, JoinCodes, make_join_codes
from runs.web.network.forwarded import ForwardedMiddleware
from runs.web.rates import MAX_CLIENTS, Rate
from tests.tables import each_row

URL = "http://127.0.0.1:8050"
COLOURS = (Path(__file__).parents[3] / "assets" / "common" / "colours.css").read_text()


async def page(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


async def stream(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("hello")
    await socket.close()


def client(join: str | None = None, host: str = "127.0.0.1", url: str = URL) -> TestClient:
    both = ["GET", "POST"]
    pages = [Route(path, page, methods=both) for path in ("/", "/runs", "/rare", "/healthz", "/inter.woff2")]
    app = Starlette(routes=[*pages, *(WebSocketRoute(path, stream) for path in ("/stream", "/other"))])
    config = GuardConfig(
        ["'sha256-x='"], {"/runs": MAX_BODY + 9}, {"/rare": Rate(2, 1)}, {"/stream"}, {"/healthz"}, {"tours.example"},
        typeface="/inter.woff2",
    )  # fmt: skip
    return TestClient(Guard(app, host, JoinCodes(join, "the host's", b"key") if join else None, config), base_url=url)


def test_an_answer_carries_the_headers():
    headers = client().get("/").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    policy = headers["content-security-policy"]
    assert "script-src 'self' 'sha256-x=';" in policy
    assert "unsafe-eval" not in policy


@each_row("host", ["127.0.0.1:8050", "localhost", "[::1]:8050", "LOCALHOST:1"])
def test_local_machine_is_admitted(host):
    assert client().get("/", headers={"host": host}).status_code == 200


@each_row("host", ["evil.example", "127.0.0.1.evil.example", "", "10.0.0.1", "localhost@evil", "[::1"])
def test_another_name_is_refused(host):
    assert client().get("/", headers={"host": host}).status_code == 400


def test_proxy_name_of_a_server_is_accepted():
    named = client("code", url="https://Tours.example")
    assert "secure" in named.get("/", params={"join": "code"}).headers["set-cookie"].lower()
    assert named.post("/", headers={"origin": "https://tours.example"}).status_code == 200
    assert client().get("/", headers={"host": "tours.example.evil"}).status_code == 400


def test_health_check_needs_no_code():
    assert client("code").get("/healthz").status_code == 200
    assert client("code").post("/healthz").status_code == 403
    assert client("code").get("/healthz/").status_code == 403


@each_row("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "http://[::1"])
def test_another_site_cannot_post_or_listen(origin):
    assert client().post("/", headers={"origin": origin}).status_code == 403
    with pytest.raises(WebSocketDisconnect), client().websocket_connect("/stream", headers={"origin": origin}):
        pass


def test_the_page_itself_can_post_and_listen():
    assert client().post("/", content=b"abc", headers={"origin": URL}).text == "3"
    with client().websocket_connect("/stream", headers={"origin": URL, "host": "127.0.0.1:8050"}) as socket:
        assert socket.receive_text() == "hello"


def test_only_the_servers_own_sockets_are_opened():
    with pytest.raises(WebSocketDisconnect), client().websocket_connect("/other"):
        pass


@each_row("site", ["cross-site", "same-site"])
def test_embedding_by_another_site_is_refused_and_its_link_followed(site):
    embedded = {"sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    framed = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
    opened = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert client().get("/", headers=embedded).status_code == 403
    assert client().get("/", headers=framed).status_code == 403
    assert client().get("/", headers=opened).status_code == 200
    assert client().post("/", headers=opened).status_code == 403
    assert client().get("/", headers=embedded | {"sec-fetch-site": "same-origin"}).status_code == 200
    with pytest.raises(WebSocketDisconnect), client().websocket_connect("/stream", headers=embedded):
        pass


def test_frequent_poster_gets_retry_after():
    each = client()
    assert [each.post("/rare").status_code for _ in range(3)] == [200, 200, 429]
    assert 50 <= int(each.post("/rare").headers["retry-after"]) <= 60
    assert each.get("/rare").status_code == 200
    assert each.post("/").status_code == 200


def test_bucket_refills_and_clients_are_counted_separately():
    now = [0.0]
    rate = Rate(3, 6, lambda: now[0])
    assert [rate.wait("a") for _ in range(4)] == [0, 0, 0, 10]
    assert rate.wait("b") == 0
    now[0] = 4.5
    assert rate.wait("a") == 6
    now[0] = 10
    assert [rate.wait("a"), rate.wait("a")] == [0, 10]
    now[0] = 1e6
    assert [rate.wait("a") for _ in range(4)] == [0, 0, 0, 10]
    for number in range(2 * MAX_CLIENTS):
        rate.wait(str(number))
    assert len(rate._clients) == MAX_CLIENTS


def test_too_large_body_is_refused_before_reading():
    assert client().post("/", headers={"content-length": str(MAX_BODY + 1)}, content=b"").status_code == 413
    assert client().post("/", content=bytes(MAX_BODY)).text == str(MAX_BODY)
    assert client().post("/", content=iter([b"a", b"b"])).status_code == 411
    assert client().post("/", headers={"content-length": "9" * 5000}, content=b"").status_code == 413


def test_form_with_many_parts_is_refused_before_reading():
    part = '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nx\r\n'
    for path, parts in (("/", 1), ("/runs", 1), ("/runs", 100_000)):
        form = {"content-type": "Multipart/form-data; boundary=b"}
        answer = client().post(path, content=part * parts + "--b--\r\n", headers=form)
        assert (answer.status_code, answer.text[:6]) == (413, "Multip")


def test_upload_may_be_larger_on_its_route_up_to_its_limit():
    assert client().post("/runs", content=bytes(MAX_BODY + 9)).text == str(MAX_BODY + 9)
    assert client().post("/runs", content=bytes(MAX_BODY + 10)).status_code == 413
    assert client().post("/runs", content=b"", headers={"origin": "http://evil.example"}).status_code == 403
    large = {"content-length": str(MAX_BODY + 1)}
    assert client().request("GET", "/runs", headers=large, content=b"").status_code == 413


def test_shared_server_requires_its_join_code():
    visitor = client(join="secret", host="0.0.0.0", url="http://10.1.2.3:8050")
    assert visitor.get("/").status_code == 403
    assert visitor.get("/?join=wrong").status_code == 403
    with pytest.raises(WebSocketDisconnect), visitor.websocket_connect("/stream"):
        pass
    welcome = visitor.get("/?join=secret")
    assert welcome.status_code == 200
    assert "httponly" in welcome.headers["set-cookie"].lower()
    assert "samesite=strict" in welcome.headers["set-cookie"].lower()
    assert visitor.cookies[JOIN_COOKIE] == "secret"
    assert visitor.get("/").text == "0"
    assert visitor.get("/", headers={"host": "evil.example"}).status_code == 400


def test_page_without_the_code_asks_for_it():
    visitor = client(join="secret", host="0.0.0.0", url="http://10.1.2.3:8050")
    page = visitor.get("/", headers={"accept": "text/html"})
    assert page.status_code == 403
    assert re.search(r'<form>\s*<label>Join code<input name="join" required', page.text)  # to this address
    assert "or type the code" in page.text
    style = page.text[: page.text.index("</style>")]
    assert set(re.findall(r"light-dark\([^)]+\)", style)) <= set(re.findall(r"light-dark\([^)]+\)", COLOURS))
    assert "button { background: light-dark(" in style  # the colours of the page that it opens
    typeface = re.search(r'font-family: Inter; .*url\("([^"]+)"\)', style)
    assert "font: 1.1rem/1.5 Inter" in style
    assert visitor.get(typeface[1]).status_code == 200  # without the code
    wrong = visitor.get("/", params={"join": "wrong"}, headers={"accept": "text/html"})
    assert (wrong.status_code, "This is not the join code." in wrong.text) == (403, True)
    assert visitor.get("/").text == "Open the address with the join code that the server printed when it started."
    assert visitor.get("/", params={"join": "secret"}, headers={"accept": "text/html"}).text.endswith("Joining.")


def test_proxy_that_changes_the_host_is_named_as_the_cause():
    """The page belongs to the server, and had reported that the response to Start cannot be read."""
    for host, page in (("tours.example", "tours.example:8443"), ("127.0.0.1:8050", "tours.example")):
        answer = client().post("/", headers={"host": host, "origin": f"https://{page}"})
        assert answer.status_code == 403
        assert answer.text.startswith(f"This page is at {page}, but the proxy before the server has asked for {host}:")
    other = client().post("/", headers={"host": "tours.example", "origin": "https://evil.example"})
    assert other.text == "Requests from other sites are refused."


FORWARDED = [
    {"x-forwarded-host": "tours.example:8443"},
    {"x-forwarded-host": "evil.example, tours.example:8443"},  # the last one is the proxy's
    {"forwarded": 'for=10.9.8.7;host="tours.example:8443";proto=https'},
    {"forwarded": "host=evil.example, For=10.9.8.7; Host=tours.example:8443"},
    {"forwarded": "host=evil.example", "x-forwarded-host": "tours.example:8443"},
]


@each_row("forwarded", FORWARDED)
def test_forwarded_host_is_believed_only_from_a_trusted_proxy(forwarded):
    page = {"host": "127.0.0.1:8050", "origin": "https://tours.example:8443"}
    for proxies, peer, status in (
        (["127.0.0.2"], "127.0.0.2", 200),
        (["127.0.0.0/8"], "127.0.0.3", 200),
        (["127.0.0.2"], "127.0.0.3", 403),
        ([], "127.0.0.1", 403),
    ):
        behind = TestClient(ForwardedMiddleware(client().app, proxies), base_url=URL, client=(peer, 5))
        assert behind.post("/", headers=page | forwarded).status_code == status
        opened = contextlib.nullcontext() if status == 200 else pytest.raises(WebSocketDisconnect)
        with opened, behind.websocket_connect("/stream", headers=page | forwarded) as socket:
            assert socket.receive_text() == "hello"


@each_row("forwarded", [{"x-forwarded-host": "evil.example"}, {"forwarded": "host=evil.example"}])
def test_forwarded_host_of_a_trusted_proxy_must_be_known(forwarded):
    behind = TestClient(ForwardedMiddleware(client().app, ["127.0.0.2"]), base_url=URL, client=("127.0.0.2", 5))
    assert behind.get("/", headers=forwarded).status_code == 400


def test_trusted_proxy_sets_scheme_and_client_but_a_client_cannot():
    seen = []

    async def note(scope, receive, send):
        seen.append((scope["scheme"], scope["client"][0], dict(scope["headers"])[b"host"]))
        await PlainTextResponse("")(scope, receive, send)

    behind = TestClient(ForwardedMiddleware(note, ["127.0.0.2"]), base_url=URL, client=("127.0.0.2", 5))
    behind.get("/", headers={"forwarded": "for=10.9.8.7;proto=https", "x-forwarded-for": "10.1.1.1"})
    behind.get("/", headers={"forwarded": "for=10.9.8.7;proto=gopher"})
    behind.get("/", headers={"forwarded": ';;==,,"', "x-forwarded-proto": "https"})
    host = URL.partition("//")[2].encode()
    assert seen == [("https", "10.1.1.1", host), ("http", "127.0.0.2", host), ("https", "127.0.0.2", host)]


def test_join_codes_resist_guessing_and_guesses_lock_nobody_out(monkeypatch):
    monkeypatch.setattr(join_codes, "_GUESSES", (10, 1))
    code = secrets.token_urlsafe(JOIN_BYTES)
    assert JOIN_BYTES * 8 >= 128
    joined = client(code)
    assert joined.get("/", params={"join": code}).status_code == 200
    guesser = client(code)
    guesses = [guesser.get("/", params={"join": str(k)}).status_code for k in range(12)]
    assert guesses == [403] * 10 + [429] * 2
    assert joined.get("/").status_code == 200
    assert guesser.get("/", params={"join": code}).status_code == 200, "the right code always enters"
    guesser.cookies.clear()
    assert [guesser.get("/", params={"join": sent}).status_code for sent in ("x", code)] == [429, 200]


def test_typed_code_ignores_case_and_spacing_and_has_no_look_alikes(tmp_path):
    codes = make_join_codes(tmp_path, shared=True)
    assert re.fullmatch("[2-9a-hjkmnp-z]{4}-[2-9a-hjkmnp-z]{4}", codes.join)
    for typed in (codes.join, codes.join.upper(), codes.join.replace("-", ""), f" {codes.join.replace('-', ' ')} "):
        joined = client(codes.join)
        assert joined.get("/", params={"join": typed}).status_code == 200
        assert joined.get("/").status_code == 200, "the cookie has the code itself"
    assert client(codes.join).get("/", params={"join": codes.join[:-1]}).status_code == 403
    assert len(make_join_codes(tmp_path, shared=False).join) >= 22


def test_inline_scripts_are_allowed_by_hash():
    found = hashes("<script>alert('Hello, world.');</script><script src='x'></script>")
    assert found == ["'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"]


@pytest.fixture(scope="module")
def callbacks():
    server, pages = FastAPI(), {}
    server.add_middleware(CallbackGuard, pages=pages)
    pages["/"] = app = dash.Dash(__name__, server=server)

    @app.callback(
        dash.Output("sum", "children"),
        dash.Input("a", "value"),
        dash.State({"type": "more", "name": dash.ALL}, "value"),
    )
    def add(a, others):
        return (a or 0) + sum(others)

    app.layout = dash.html.Div([dash.dcc.Slider(0, 9, id="a"), dash.html.Div(id="sum")])
    return TestClient(server)


def callback_body(**changed):
    states = [{"id": {"type": "more", "name": "b"}, "property": "value", "value": 2}]
    inputs, outputs = [{"id": "a", "property": "value", "value": 1}], {"id": "sum", "property": "children"}
    body = {"output": "sum.children", "outputs": outputs, "inputs": inputs, "state": [states]}
    return json.dumps({**body, "changedPropIds": ["a.value"], **changed})


def post(callbacks, body):
    headers = {"content-type": "application/json"}
    return callbacks.post("/_dash-update-component", content=body, headers=headers)


def value(of):
    """The inputs with this value."""
    return [{"id": "a", "property": "value", "value": of}]


def named_states(*names, value=2):
    """The states with these names."""
    return [[{"id": {"type": "more", "name": name}, "property": "value", "value": value} for name in names]]


def test_own_callback_of_the_page_is_answered(callbacks):
    assert post(callbacks, callback_body()).json()["response"] == {"sum": {"children": 3}}
    assert post(callbacks, callback_body(state=[[]])).json()["response"] == {"sum": {"children": 1}}
    assert post(callbacks, callback_body(state=named_states("b", "c"))).json()["response"] == {"sum": {"children": 5}}
    assert post(callbacks, callback_body(inputs=value(None))).json()["response"] == {"sum": {"children": 2}}
    assert post(callbacks, callback_body(inputs=value(1e300))).json()["response"] == {"sum": {"children": 1e300}}
    assert post(callbacks, callback_body(changedPropIds=[])).status_code == 200


@each_row(
    "body",
    [
        *(b"", b"{", b"\xff", b"null", b"[]", b"{}"),
        *(b"[" * 100_000, b'{"output":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
        *(callback_body(output=output) for output in (None, [], "no.such", "sum.children@1")),
        *(callback_body(outputs=outputs) for outputs in (None, [], [[]], {"id": "sum"}, {"id": [], "property": "a"})),
        *(callback_body(inputs=inputs) for inputs in (None, {}, [], [None], [[]], [{"id": "b", "property": "value"}])),
        *(callback_body(state=state) for state in ([], [{}], [[{}]], [[{"id": "b"}]], [[{"id": {"type": []}}]])),
        *(callback_body(changedPropIds=changed) for changed in (1, [[]], [None], ["b.value"], ["a.children"], ["{"])),
        *(callback_body(inputs=value(of)) for of in ("1", True, [1], {}, float("nan"), float("inf"), 10**400, [[[]]])),
        *(callback_body(state=named_states(*names)) for names in (["b", "b"], [5], [[]], [{}], ["\ud800"], [None])),
        callback_body(state=[[{"id": {"type": "less", "name": "b"}, "property": "value", "value": 2}]]),
        callback_body(state=[[{"id": {"type": "more", "name": "b", "c": "d"}, "property": "value", "value": 2}]]),
        *(callback_body(state=named_states("b", value=of)) for of in (10**400, "\ud800", {"\ud800": 1})),
        callback_body(state=named_states("b", value=0)).replace('"value": 0', f'"value": {"[" * 200}{"]" * 200}'),
    ]
)  # fmt: skip
def test_unknown_callback_is_refused(callbacks, body):
    answer = post(callbacks, body)
    assert answer.status_code == 400
    assert answer.json() == {"sentence": "This page is out of date: reload it."}


def test_unknown_page_has_no_callbacks(callbacks):
    answer = callbacks.post(
        "/foo/_dash-update-component", content=callback_body(), headers={"content-type": "application/json"}
    )
    assert (answer.status_code, answer.json()) == (404, {"sentence": "There is no page at this address."})


@pytest.fixture(scope="module")
def patterns():
    """A page whose buttons come and go; a callback also has their ids."""
    server, pages = FastAPI(), {}
    server.add_middleware(CallbackGuard, pages=pages)
    pages["/"] = app = dash.Dash(__name__, server=server)
    button = {"type": "press", "name": dash.ALL}

    @app.callback(dash.Output("a", "children"), dash.Input(button, "n_clicks"), dash.State(button, "id"))
    def count(clicks, names):
        return len(clicks) + len(names)

    @app.callback(dash.Output("b", "children"), dash.Input({"type": "field", "name": dash.ALL}, "value"))
    def show(values):
        return str(values)

    fields = [
        dash.dcc.Slider(0, 9, id={"type": "field", "name": "a"}),
        dash.dcc.Input(id={"type": "field", "name": "b"}),
    ]
    button = dash.html.Button(id={"type": "press", "name": "b"})
    app.layout = dash.html.Div([button, *fields, dash.html.Div(id="a"), dash.html.Div(id="b")])
    return TestClient(server)


def button_body(clicks, names, changed='{"name":"b","type":"press"}.n_clicks'):
    named = [{"type": "press", "name": name} for name in "bc"[: len(clicks)]]
    inputs = [[{"id": each, "property": "n_clicks", "value": n} for each, n in zip(named, clicks, strict=True)]]
    state = [[{"id": each, "property": "id", "value": values} for each, values in zip(named, names, strict=False)]]
    outputs = {"id": "a", "property": "children"}
    body = {"output": "a.children", "outputs": outputs, "inputs": inputs, "state": state, "changedPropIds": [changed]}
    return json.dumps(body)


B, C = ({"type": "press", "name": name} for name in "bc")


@each_row(
    ("body", "status"),
    [
        (button_body([1, None], [B, C]), 200),
        (button_body([1], [B], '{"name":"gone","type":"press"}.n_clicks'), 200),
        (button_body([1], [B], '{"name":"b","type":"other"}.n_clicks'), 400),
        (button_body([1], [B], '{"name":"b","type":"press"}.id'), 400),
        (button_body([1], [B], '{"name":' + "[" * 900 + "]" * 900 + "}.n_clicks"), 400),
        (button_body(["1"], [B]), 400),
        (button_body([1, 1], [B]), 400),
        (button_body([1], [C]), 400),
        (button_body([1], ["b"]), 400),
    ],
)
def test_pattern_values_belong_to_the_same_elements(patterns, body, status):
    assert post(patterns, body).status_code == status


@each_row("value", [1, "1", True, [1]])
def test_fields_of_one_pattern_may_be_of_any_kind(patterns, value):
    inputs = [[{"id": {"type": "field", "name": "c"}, "property": "value", "value": value}]]
    body = {"output": "b.children", "outputs": {"id": "b", "property": "children"}, "inputs": inputs}
    answer = post(patterns, json.dumps({**body, "changedPropIds": ['{"name":"c","type":"field"}.value']}))
    assert answer.json()["response"] == {"b": {"children": str([value])}}


async def test_large_bodies_together_take_bounded_memory(monkeypatch):
    monkeypatch.setattr(callback_guard, "LARGE", 1000)
    monkeypatch.setattr(callback_guard, "MAX_HELD", 10_000)

    go, done = asyncio.Event(), []

    async def page(scope, receive, send):
        done.append(len((await receive())["body"]))
        await go.wait()

    bodies = callback_guard.CountedBodies(page, ["/"])
    scope = {"type": "http", "path": "/", "headers": [(b"content-type", b"application/json")]}

    async def send_body(size):
        sent = []

        async def receive():
            return {"type": "http.request", "body": b"x" * size}

        async def note(message):
            sent.append(message)

        await bodies(scope, receive, note)
        return sent[0]["status"] if sent else 200

    alone = asyncio.create_task(send_body(20_000))
    while not done:
        await asyncio.sleep(0.01)
    assert await send_body(2000) == 503
    small = asyncio.create_task(send_body(500))
    while len(done) < 2:
        await asyncio.sleep(0.01)
    go.set()
    assert (await alone, await small, await send_body(2000), done) == (200, 200, 200, [20_000, 500, 2000])
