"""The page for joining a class: only the host sees it, and its QR code holds the join link."""

import json
import re

import pytest
from qr_codes import decode_code, modules, without_quiet_zone
from starlette.testclient import TestClient

from components.classroom.page import QUIET, describe_visitor_count, draw_code
from components.shell.paths import CLASS
from runs.language import LANGUAGES, use_language
from runs.web import join_codes as join_codes
from runs.web.guard import Guard, GuardConfig, hash_scripts
from runs.web.join_codes import JOIN_COOKIE, VISITOR_COOKIE, JoinCodes
from runs.web.languages import Languages
from runs.web.network.own_host import is_own
from tests.components.classroom.conftest import HOST, JOIN
from tests.runs.served import BASE
from tests.tables import each_row

PAGE = BASE + CLASS
HEALTH = f"{BASE}healthz"  # which is answered without a code
AS_PERSON = {"accept": "text/html"}


@pytest.fixture
def application(served):
    return served.server


@pytest.fixture
def browser(application):
    """Creates browsers that have joined one server with a code; without a code, of a server that is not shared."""
    shared = JoinCodes(JOIN, HOST, b"key")

    def make(code: str = "", url: str = "http://192.168.1.20:8050", codes: JoinCodes | None = shared) -> TestClient:
        guarded = Guard(application, "0.0.0.0", codes, GuardConfig(free={HEALTH}, names={"tours.example"}))
        client = TestClient(Languages(guarded, BASE), base_url=url, headers=AS_PERSON, follow_redirects=False)
        if code:
            assert client.get(BASE, params={"join": code}).text.endswith("Joining.")
        return client

    return make


def read(html: str) -> str:
    """The text of the QR code on a page."""
    return decode_code(without_quiet_zone(modules(re.search(r"<svg.*?</svg>", html)[0]), QUIET))


def shown_link(html: str) -> str:
    """The link that a page shows as text."""
    return re.sub(r"<.*?>", "", re.search(r'<p class="class-link"[^>]*>(.*?)</p>', html)[1])


def links(client: TestClient, page: str = "") -> set[str]:
    """The targets of the links on a Dash page."""
    layout = client.get(f"{BASE}{page}_dash-layout").json()  # as text its slashes would be escaped
    return set(re.findall(r'"href": "([^"]*)"', json.dumps(layout)))


@pytest.mark.parametrize(
    "url", ["http://192.168.1.20:8050", "https://tours.example", "http://[fd00::2]:80", "http://127.0.0.1:8050"]
)
def test_code_and_words_name_the_link_by_which_the_page_was_opened(browser, url):
    answer = browser(HOST, url).get(PAGE)
    host = answer.request.headers["host"]
    assert answer.status_code == 200
    assert read(answer.text) == shown_link(answer.text) == f"{url.partition(':')[0]}://{host}{BASE}?join={JOIN}"
    assert ("Only this computer can open this address" in answer.text) == ("127.0.0.1" in url)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8050", "http://localhost:9000", "http://192.168.1.20:8050"])
def test_loopback_host_sees_the_network_address(browser, url):
    address = f"http://192.168.1.20:8050{BASE}"
    answer = browser(HOST, url, JoinCodes(JOIN, HOST, b"key", address=address)).get(PAGE)
    assert read(answer.text) == shown_link(answer.text) == f"{address}?join={JOIN}"
    assert "Only this computer" not in answer.text


def test_join_link_makes_a_visitor(browser):
    link = read(browser(HOST).get(PAGE).text)
    visitor = browser()
    assert visitor.get(BASE).status_code == 403
    assert visitor.get(link).text.endswith("Joining.")
    assert visitor.get(BASE).status_code == 200
    assert visitor.get(PAGE).status_code == 403


def test_visitors_and_strangers_cannot_see_it(browser):
    for path in (PAGE, f"{PAGE}joined"):
        visitor, stranger = browser(JOIN).get(path), browser().get(path)
        assert (visitor.status_code, stranger.status_code) == (403, 403)
        assert visitor.json() == {"sentence": "Only the host of this server may do that."}
        assert JOIN not in visitor.text + stranger.text


def test_page_never_contains_the_hosts_code_and_is_not_cached(browser):
    answer = browser(HOST).get(PAGE)
    assert HOST not in answer.text
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("codes", [None, JoinCodes(JOIN)])
def test_unshared_server_has_no_such_page(browser, codes):
    client = browser(JOIN if codes else "", "http://127.0.0.1:8050", codes)
    assert [client.get(path).status_code for path in (PAGE, f"{PAGE}joined")] == [404, 404]
    assert BASE in links(client)
    assert PAGE not in links(client)


@pytest.mark.parametrize("page", ["", "race/", "study/", "library/", "papers/", "learn/"])
def test_header_links_the_host_there_but_no_visitor(browser, page):
    assert [PAGE in links(browser(code), page) for code in (HOST, JOIN)] == [True, False]


def test_address_without_slash_redirects_with_its_query(browser):
    assert browser(HOST).get(f"{PAGE[:-1]}?theme=dark").headers["location"] == f"{PAGE}?theme=dark"


def test_visitors_are_counted_once_without_the_host(browser):
    host = browser(HOST)

    def says() -> str:
        return host.get(f"{PAGE}joined").json()["says"]

    assert says() == "0 visitors have joined since the server started."
    anne, bert = browser(JOIN), browser(JOIN)
    for each in (anne, anne, browser()):
        each.get(BASE)
    assert says() == "1 visitor has joined since the server started."
    bert.get(BASE)
    assert says() == "2 visitors have joined since the server started."
    assert says() in host.get(PAGE).text
    bert.get(BASE, params={"join": HOST})  # who was a visitor, and is the host
    bert.get(BASE)
    assert says() == "1 visitor has joined since the server started."


def test_visitors_are_limited(monkeypatch):
    monkeypatch.setattr(join_codes, "MAX_SEEN", 3)
    codes = JoinCodes(JOIN, HOST, b"key")
    for _ in range(5):
        codes.count(codes.assign_id(codes.visitor({}), "10.0.0.1"), {JOIN_COOKIE: JOIN})
    assert len(codes.visitor_numbers) == 3
    assert describe_visitor_count(10_000).endswith("visitors or more have joined since the server started.")


def test_visitor_of_another_day_counts_after_joining_again(browser):
    visitor = browser(JOIN)
    known = visitor.cookies[VISITOR_COOKIE]
    host, again = browser(HOST), browser()
    again.cookies.set(VISITOR_COOKIE, known)
    assert again.get(HEALTH).status_code == 200
    assert host.get(f"{PAGE}joined").json()["says"].startswith("0 ")
    again.get(BASE, params={"join": JOIN})
    again.get(BASE)
    assert host.get(f"{PAGE}joined").json()["says"].startswith("1 ")


@pytest.mark.parametrize("name", LANGUAGES)
def test_page_is_in_the_language_of_the_request(browser, name):
    html = browser(HOST, "http://localhost").get(PAGE, params={"lang": name}).text
    assert f'<html lang="{name}"' in html
    sentence = {"en": ("Join", "Only this computer"), "de": ("Mitmachen", "Nur dieser Rechner")}[name]
    assert all(each in html for each in sentence)
    with use_language(name):
        assert describe_visitor_count(0) in html


def test_content_security_policy_allows_the_whole_page(browser):
    answer = browser(HOST).get(PAGE)
    assert "script-src 'self';" in answer.headers["content-security-policy"]
    assert hash_scripts(answer.text) == []
    assert not re.search(r"\bon\w+=|javascript:", answer.text)
    *loaded, runs, back = re.findall(r'(?:src|href)="([^"]+)"', answer.text)
    assert (len(loaded), runs, back) == (6, "runs", BASE)
    assert all(each.startswith(f"{BASE}assets/") for each in loaded)


@each_row("length", [24, 30, 40, 53, 54, 70, 78, 79, 100, 106, 107, 134])
def test_qr_reader_decodes_every_size_of_link(length):
    content = ("http://tours.example/?join=" + "aB3-_" * 30)[:length]
    assert decode_code(without_quiet_zone(modules(draw_code(content)), QUIET)) == content


def test_code_with_one_changed_module_decodes_differently():
    content = f"http://192.168.1.20:8050/?join={JOIN}"
    code = without_quiet_zone(modules(draw_code(content)), QUIET)
    code[-4][-1] ^= 1  # of the first codewords, which are in the corner
    code[-8][-1] ^= 1
    assert decode_code(code) != content


def test_code_is_dark_on_white_in_every_theme():
    picture = draw_code("http://192.168.1.20/?join=x")
    assert re.findall(r'(?:fill|stroke)="([^"]+)"', picture) == ["#fff", "#000"]


@each_row(
    ("host", "own"),
    [
        ("127.0.0.1:8050", True), ("127.8.0.1", True), ("localhost:1", True), ("a.localhost", True),
        ("[::1]:8050", True), ("[::ffff:127.0.0.1]", True), ("0.0.0.0:8050", True), ("[::]", True),
        ("10.0.0.1:8050", False), ("[fd00::2]:80", False), ("tours.example:8050", False),
        ("localhost.example", False), ("127.example", False),
    ],
)  # fmt: skip
def test_own_addresses_of_the_machine_are_known(host, own):
    assert is_own(host) == own
