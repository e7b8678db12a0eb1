"""The results of a class: best first, without more identity than a viewer may see."""

import csv
import io
import json

from starlette.testclient import TestClient

from components.classroom import results
from components.classroom.results import Results
from components.shell.paths import CLASS
from runs.library.search import Query
from runs.visitors import Visitor
from runs.web.guard import Guard, GuardConfig, hash_scripts
from runs.web.join_codes import JoinCodes
from tests.components.classroom.conftest import HOST, JOIN
from tests.runs.made_up_runs import CREATED, new_id, write_run
from tests.runs.served import BASE

PAGE, ROWS, FILE = (f"{BASE}{CLASS}{what}" for what in ("runs", "runs/rows", "runs.csv"))


def visitor_id(client: TestClient, codes: JoinCodes) -> str:
    return codes.visitor(dict(client.cookies)).id


def listing(run_service, library, codes: JoinCodes) -> list[results.Result]:
    """All results, as shown to a visitor without runs."""
    visitor = Visitor("abc")
    return Results(library, run_service.owners).list_runs(codes, visitor, run_service.lecture.nicknames)


def test_visitors_see_their_own_runs_and_only_the_host_sees_whose_others_are(browser, codes, run_service, served):
    anne, bert, host = browser(JOIN), browser(JOIN), browser(HOST)
    runs = {name: write_run(run_service.home.new_path(new_id())).stem for name in ("anne", "bert", "host")}
    for name, client in (("anne", anne), ("bert", bert), ("host", host)):
        run_service.owners.claim([f"run:{runs[name]}"], visitor_id(client, codes))

    def owners_by_run(client):
        return {row["run"]: row["who"] for row in client.get(ROWS).json()["rows"]}

    answer = {client: owners_by_run(client) for client in (anne, bert, host)}
    assert {run: name for run, name in answer[anne].items() if run in runs.values()} == {
        runs["anne"]: "You", runs["bert"]: "Another visitor", runs["host"]: "Host",
    }  # fmt: skip
    assert answer[bert][runs["bert"]] == "You"
    assert [answer[host][runs[name]] for name in runs] == ["Visitor 1", "Visitor 2", "You"]
    assert answer[host][served.run] == "Host"  # which nobody owns


def test_table_contains_neither_ids_nor_codes(browser, codes):
    anne, bert, host = browser(JOIN), browser(JOIN), browser(HOST)
    for client in (anne, host):
        for path in (PAGE, ROWS, FILE):
            text = client.get(path).text
            secrets = (visitor_id(bert, codes), visitor_id(anne, codes), JOIN, HOST)
            assert not any(secret in text for secret in secrets)


def test_strangers_and_unshared_servers_have_none(browser, served):
    assert [browser("no code").get(path).status_code for path in (PAGE, ROWS, FILE)] == [403] * 3
    for codes in (None, JoinCodes(JOIN)):
        client = TestClient(Guard(served.server, "127.0.0.1", codes, GuardConfig()), base_url="http://127.0.0.1:8050")
        client.get(BASE, params={"join": JOIN})
        assert [client.get(path).status_code for path in (PAGE, ROWS, FILE)] == [404] * 3


def test_runs_before_the_servers_start_are_omitted(run_service, served):
    library = served.behind[1]()
    found = {
        began: [each.run.id for each in listing(run_service, library, JoinCodes(JOIN, HOST, started_at=began))]
        for began in (CREATED, CREATED + 1)
    }
    assert served.run in found[CREATED]
    assert found[CREATED + 1] == []


def test_smallest_gap_comes_first_then_shortest_time_and_no_gap_last(served, run_service, codes, monkeypatch):
    library = served.behind[1]()
    write_run(run_service.home.new_path(new_id()))
    (one, *_), *_ = library.search(Query(kinds=("run",)))
    values = [(None, 9, 1.0), (None, 5, 8.0), (0.5, 7, 2.0), (0.5, 3, None), (0.5, 90, 0.1), (0.0, 999, 60.0)]
    result = tuple(one._replace(gap_percent=gap, length=length, seconds=s) for gap, length, s in values)
    unknown = one._replace(length=None, gap_percent=None)  # a run that has no tour yet
    page = library.search()._replace(entries=(*result, unknown))
    monkeypatch.setattr(library, "search", lambda query: page)
    found = listing(run_service, library, codes)
    assert [each.run for each in found] == [result[k] for k in (5, 4, 2, 3, 1, 0)]
    monkeypatch.setattr(results, "MAX_RESULTS", 2)
    assert len(listing(run_service, library, codes)) == 2


def test_library_is_searched_once_for_concurrent_requests(served, run_service, codes, monkeypatch):
    library, asked, now = served.behind[1](), [], 100.0
    page = library.search()
    monkeypatch.setattr(library, "search", lambda query: asked.append(1) or page)
    monkeypatch.setattr(results.time, "monotonic", lambda: now)
    listed = Results(library, run_service.owners)
    for _ in range(3):
        listed.list_runs(codes, Visitor("abc"), run_service.lecture.nicknames)
    assert len(asked) == 1
    now += 2
    listed.list_runs(codes, Visitor("abc"), run_service.lecture.nicknames)
    assert len(asked) == 2


def test_unchanged_rows_are_not_sent_again(browser, codes, run_service, served):
    host, visitor = browser(HOST), browser(JOIN)
    run_service.owners.claim([f"run:{served.run}"], visitor_id(visitor, codes))
    first = host.get(ROWS)
    known = {"if-none-match": first.headers["etag"]}
    again = host.get(ROWS, headers=known)
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert visitor.get(ROWS, headers=known).status_code == 200  # whose rows say other names
    run_service.owners.drop([f"run:{served.run}"])


def test_file_has_the_same_rows_as_numbers(browser):
    host = browser(HOST)
    answer = host.get(FILE)
    assert answer.headers["content-disposition"] == 'attachment; filename="runs.csv"'
    head, *lines = csv.reader(io.StringIO(answer.text))
    rows = host.get(ROWS).json()["rows"]
    assert head[:2] == ["who", "run"]
    # an id that begins with a hyphen has an apostrophe before it, lest a spreadsheet takes it for a formula
    assert [[who, run.lstrip("'")] for who, run, *_ in lines] == [[row["who"], row["run"]] for row in rows]
    assert all(int(line[head.index("length")]) > 0 for line in lines)


def test_page_has_no_inline_script_and_the_header_links_visitors_there(browser):
    for code, back in ((HOST, f"{BASE}{CLASS}"), (JOIN, BASE)):
        client = browser(code)
        html = client.get(PAGE).text
        assert hash_scripts(html) == []
        assert f'href="{back}"' in html
        layout = json.dumps(client.get(f"{BASE}_dash-layout").json())  # as text its slashes are escaped
        assert (f'"{PAGE}"' in layout) == (code == JOIN)
