"""The description of the routes matches the actual routes."""

import asyncio
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from runs.web.openapi import description
from tests.runs.served import BASE

pytestmark = pytest.mark.slow

#: Routes that are none of the contract: pages and what Dash serves for them, and what is told of any other address.
_PAGES = ("dash.", "runs.web.addresses")
#: Queries that a route reads by itself.
_BY_ITSELF = ("/library/entries", "/library/thumbnails")


def flatten(routes: Iterable[Any]) -> Iterator[Any]:
    """The routes, including those of nested routers."""
    for each in routes:
        if included := getattr(each, "original_router", None):
            yield from flatten(included.routes)
        else:
            yield each


def contract(server) -> dict[tuple[str, str], set[str]]:
    """The names of the query's values, by method and path."""
    found = {}
    for each in flatten(server.routes):
        module = getattr(getattr(each, "endpoint", None), "__module__", "dash.")
        if not getattr(each, "methods", None) or module.startswith(_PAGES):
            continue
        path = re.sub(r":\w+}", "}", each.path).removeprefix(BASE.rstrip("/"))
        for method in each.methods - {"HEAD"}:
            found[method.lower(), path] = {param.name for param in each.dependant.query_params}
    return found


def test_description_matches_the_routes(served):
    described = {
        (method, path): {each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"}
        for path, operations in description()["paths"].items()
        for method, operation in operations.items()
    }
    late = ("docs/", "library/entries", "papers/jobs", "learn/lessons/none", "races/none", "class/")
    for path in (*late, "runs/none/embed", "studies/none/study.csv", "study/first/none"):
        TestClient(served.server).get(f"{BASE}{path}")  # routes that are added at the first request
    routes = contract(served.server)
    assert set(described) == set(routes)
    assert len(routes) > 45
    for (method, path), names in described.items():
        assert names == routes[method, path] or path in _BY_ITSELF, (method, path)


def test_every_path_parameter_is_described():
    for path, operations in description()["paths"].items():
        for operation in operations.values():
            names = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "path"]
            assert names == re.findall(r"{(\w+)}", path), path


def test_description_has_the_servers_address(served):
    answer = asyncio.run(served.ask("GET", f"{BASE}openapi.json"))
    assert answer.status == 200
    assert json.loads(answer.body)["servers"] == [{"url": BASE.rstrip("/")}]
