"""Requests to every route, with odd ids, queries and bodies."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

from tests.runs.served import BASE, Served, encode_json
from tests.runs.web.hostile_posts import BODIES, VALUES, nest_lists, objects


class Request(NamedTuple):
    """A request in the form of the arguments of `Served.ask`."""

    method: str
    path: str
    body: bytes = b""
    query: str = ""
    headers: dict[str, str] = {}  # noqa: RUF012 - of a named tuple


#: Ids that are none.
IDS = (
    "",
    ".",
    "..",
    "abcdefghijkl",
    "0",
    "-1",
    "1" * 400,
    "\u0661\u0662",
    "a" * 5000,
    "%00",
    "..%2f..%2fetc%2fpasswd",
    "%ed%a0%80",
    "%ff%fe",
    "<img src=x>",
    "a b",
    "a\nb",
    "10e400",
    "NaN",
    "~",
    "abcdefghijk%0a",
)
#: Numbers of climbers and iterations that are none.
NUMBERS = (
    "-1",
    "1.5",
    "1e3",
    "9" * 10,
    "9" * 15,
    "9" * 400,
    "0x10",
    "\u0662",
    "NaN",
    "0.gif",
    "9999999999.gif",
    "..gif",
    "%00.gif",
)
#: References to instances that are none.
REFERENCES: tuple[Any, ...] = (
    None,
    5,
    "berlin52",
    [],
    {},
    {"name": 5},
    {"name": "../../etc/passwd"},
    {"name": "\0"},
    {"name": "a" * 5000},
    {"name": "\ud800"},
    {"sha256": "0" * 64},
    {"sha256": []},
    {"generate": "uniform", "n": 10**400, "seed": 1},
    {"generate": "uniform", "n": -1, "seed": 1},
    {"generate": "uniform", "n": 1e300, "seed": 1},
    {"generate": "uniform", "n": 5, "seed": 10**400},
    {"generate": [], "n": 5, "seed": 1},
    {"generate": "uniform", "n": 5, "seed": -1},
    {"generate": "clustered", "n": float("inf"), "seed": 1},
    {"cities": [[0, 10**400]] * 3},
    {"cities": [[0, float("nan")]] * 3},
    {"cities": nest_lists(300)},
    {"cities": [[1e299, -1e299], [0, 0], [1, 1]]},
    nest_lists(500),
    objects(900),
    {"cities": [[0, 0]]},
    {"name": "berlin52", "more": 1},
)
#: Queries of a page that are none.
QUERIES = (
    "race=" + "[" * 988 + "]" * 988,
    'race={"a":' * 988 + "1" + "}" * 988,
    "seed=" + "9" * 400,
    "budget.seconds=" + "9" * 400,
    "id=" + "a" * 5000,
    "runs=" + ",".join(["a"] * 500),
    "%ff=%ff",
    "&&&===",
    "a=1&" * 3000,
    "run=%00",
)
#: Parts of a search, and keys of thumbnails.
SEARCHES = ("q", "kind", "tag", "sort", "up", "lanes", "from", "limit", "compare", "key", "kind=run&tag")
#: Actions on entries of the library, and what they take besides.
ACTIONS = {
    "rename": "name",
    "tag": "add",
    "delete": "",
    "undo": "token",
    "all": "query",
    "save": "",
    "empty": "",
    "": "",
}
#: Paths below the base path that are none.
PATHS = (
    "foo",
    "foo/_dash-update-component",
    "race/foo/_dash-update-component",
    "_dash-component-suites",
    "_dash-component-suites/",
    "race",
    "_dash-component-suites/foo/bar.js",
    "_dash-component-suites/dash/foo.js",
    "_dash-component-suites/os/path.py",
    "_dash-component-suites/dash",
    "race/_dash-component-suites/dash/../../app.py",
    "study/_dash-component-suites/plotly/package_data/plotly.min.js.map",
    "library/_dash-component-suites/dash_html_components/%00",
    "_dash-layout/x",
    "_dash-foo",
    "_favicon.ico",
    "assets/../app.py",
    "assets/%2e%2e/app.py",
    "assets/%00",
    "assets/common/base.css/x",
    "assets/" + "a" * 5000,
    "_reload-hash",
    "_dash-ws-callback",
    "stream",
    "openapi.json",
    "docs",
    "study",
)
#: By the method: routes of all of a run, of a race and of a study.
RUN = (
    "",
    "/film",
    "/best.tour",
    "/best.pdf",
    "/run.html",
    "/embed",
    "/best.tex",
    "/best.gpx",
    "/best.geojson",
    "/best.kml",
    "/best.csv",
    "/stops.json",
    "/plotter-a4.svg",
    "/plotter-a3.svg",
    "/climbers.csv",
    "/result.json",
    "/run.tourscope",
    "/foo",
    "/climbs/0",
    "/fields/0",
)
RACE = ("", "/race.gif", "/race.tourrace", "/foo")
STUDY = ("", "/runs.csv", "/runs.parquet", "/table.tex", "/iohprofiler.zip", "/study.tourstudy", "/foo")
OTHERS = ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "FOO")


def requests(served: Served) -> Iterator[Request]:
    """All requests, always the same."""
    kinds = {"runs": (RUN, served.run), "races": (RACE, served.race), "studies": (STUDY, served.study)}
    for kind, (routes, known) in kinds.items():
        yield from (_get(f"{kind}/{quote(each, '%.~')}{route}") for each in (known, *IDS) for route in routes)
    yield from (_get(f"study/first/{quote(each, '%.~')}") for each in IDS)
    for number in NUMBERS:
        for what in ("climbs", "fields"):
            yield _get(f"runs/{served.run}/{what}/{quote(number, '%.')}")
    for reference in REFERENCES:
        asked = quote(json.dumps(reference))
        yield from (_get(path, f"ref={asked}") for path in ("instance", "instances"))
    for query in ("", "ref=", "ref={", "ref=%ff", "ref=" + "[" * 5000, "ref=" + "9" * 5000, "ref=1&ref=2"):
        yield from (_get(path, query) for path in ("instance", "instances"))
    for runs in ("", ",", served.run, f"{served.run},{served.run}", "a,b,c,d,e,f", *IDS):
        yield _get("compared.gif", f"runs={quote(runs, '%,')}")
    for query in QUERIES:
        yield from (
            _get(page, query)
            for page in (
                "", "race/", "study/", "library/", "race", "_dash-layout", "race/_dash-layout", "library/entries",
                "library/thumbnails", "papers/", "papers/paper", "papers/jobs", "papers/entries/uchida/table-ii.csv",
            )
        )  # fmt: skip
    for name in SEARCHES:
        for value in (*IDS, *NUMBERS):
            asked = f"{name}={quote(value, '%')}"
            yield from (_get(f"library/{path}", asked) for path in ("entries", "thumbnails"))
    for name in IDS:
        yield _get("papers/paper", f"name={quote(name, '%')}")
        yield from (_get(f"papers/entries/{quote(name, '%.~')}/table-ii{ending}") for ending in ("", ".csv"))
        yield _get(f"papers/entries/uchida/{quote(name, '%.~')}")
    for body in BODIES:
        yield _act(body)
        yield _measure(body)
    for value in VALUES.values():
        yield from (
            _measure(encode_json(asked)) for asked in ({"entry": value, "do": "cancel"}, {"entry": "", "do": value})
        )
    for do, what in ACTIONS.items():
        for value in VALUES.values():
            yield _act(encode_json({"do": do, "keys": value}))
            yield _act(encode_json({"do": do, "keys": [f"run:{served.run}"], what: value}))
    for value in (*NUMBERS, *IDS):
        asked = quote(value, "%")
        for query in (f"cities={asked}", f"cities=5000&seed={asked}", f"cities=5000&contrast={asked}"):
            yield Request("POST", f"{BASE}pictures", b"\x89PNG", query)
    yield from (_get(path) for path in PATHS)
    yield from (
        Request("POST", BASE + quote(path, "%./"), b"{}", "", {"content_type": "application/json"}) for path in PATHS
    )
    yield Request("POST", "/foo/_dash-update-component", b"{}", "", {"content_type": "application/json"})
    yield Request("GET", "/foo/_dash-component-suites/dash/x.js")
    for path in (
        "",
        "race/",
        "runs",
        f"runs/{served.run}",
        "instances",
        "instance",
        "_dash-layout",
        "_dash-update-component",
        "assets/common/base.css",
    ):
        yield from (Request(method, BASE + path, b"x") for method in OTHERS)
    for path in ("_dash-update-component", "race/_dash-update-component", "runs/x", "instance"):
        for kind in ("application/json", "text/plain", "application/json; charset=utf-7", "multipart/form-data"):
            yield from (Request("POST", BASE + path, body, "", {"content_type": kind}) for body in BODIES)


def _measure(body: bytes) -> Request:
    return Request("POST", f"{BASE}papers/jobs", body, "", {"content_type": "application/json"})


def _act(body: bytes) -> Request:
    return Request("POST", f"{BASE}library/actions", body, "", {"content_type": "application/json"})


def _get(path: str, query: str = "") -> Request:
    return Request("GET", BASE + path, query=query)
