"""Requests to the callbacks of all pages: as their scripts send them, and with one odd value each."""

import base64
import copy
import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from components.algorithm import ids as item_ids
from components.library import ids as library_ids
from components.race import ids as race_ids_module
from components.race.lanes import DEFAULT as LANES
from components.race.lanes import describe_lanes
from components.shell import ids
from components.shell.controls import dom_id
from components.study import ids as study_ids
from components.study.entries import DEFAULT as ENTRIES
from tests.runs.served import HERE

#: Fields of the form of 2-opt, one of each kind.
PARAMETERS = {"climbers": 50, "exact": True, "variant": "auto"}
FILE = {"contents": f"data:text/plain;base64,{base64.b64encode(b'NAME: x').decode()}", "filename": "x.tsp", "at": 1}
LANE = {"lane": 0, "insert": False, "before": [], "at": 1}
NUMBERS = {
    "n_clicks": 1,
    "n_clicks_timestamp": 1.7e12,
    "n_intervals": 3,
    "children": "",
    "value": "0",
    "options": [],
}


class Post(NamedTuple):
    """A request to a page, and its defect."""

    page: Any
    body: Any
    odd: str


def nest_lists(depth: int, value: Any = 0) -> Any:
    """A list in a list in a list."""
    for _ in range(depth):
        value = [value]
    return value


def objects(depth: int) -> Any:
    """An object in an object in an object."""
    value: Any = {}
    for _ in range(depth):
        value = {"a": value}
    return value


#: Values by what is odd about them.
VALUES: dict[str, Any] = {
    "null": None,
    "true": True,
    "false": False,
    "zero": 0,
    "minus": -1,
    "number": 7,
    "fraction": 2.5,
    "tiny": 5e-324,
    "1e308": 1e308,
    "minus 1e308": -1e308,
    "2^53": 2**53,
    "2^63": 2**63,
    "10^30": 10**30,
    "10^400": 10**400,
    "minus 10^400": -(10**400),
    "NaN": float("nan"),
    "infinity": float("inf"),
    "minus infinity": float("-inf"),
    "no text": "",
    "text": "a",
    "digits": "12",
    "digits of elsewhere": "\u0661\u0662",
    "superscript": "\u00b2",
    "400 digits": "1" * 400,
    "NUL": "\0",
    "surrogate": "\ud800",
    "path": "../../etc/passwd",
    "markup": "<img src=x onerror=alert(1)>",
    "huge text": "x" * 200_000,
    "query": "?instance=berlin52&algorithm=two-opt&seed=" + "9" * 400,
    "broken JSON": "{",
    "deep JSON": "[" * 5000,
    "deep object": '{"a":' * 988 + "1" + "}" * 988,
    "query of a deep race": "?race=" + "[" * 988 + "]" * 988,
    "query of a deep study": "?study=" + '{"a":' * 988 + "1" + "}" * 988,
    "budget": "?v=1&instance=berlin52&algorithm=two-opt&budget.seconds=" + "1" * 400,
    "parameter": "?v=1&instance=berlin52&algorithm=two-opt&climbers=" + "1" * 400,
    "many fields": "?" + "a=1&" * 5000,
    "no list": [],
    "list": [1],
    "list of texts": ["a", "b"],
    "list of nulls": [None, None],
    "list of lists": [[], [[]]],
    "list of objects": [{}],
    "long list": [0] * 2000,
    "deep": nest_lists(30),
    "deeper": nest_lists(300),
    "deep 900": nest_lists(900),
    "deep 940": nest_lists(940),
    "deep 988": nest_lists(988),
    "deep 3000": nest_lists(3000),
    "deep objects": objects(400),
    "no object": {},
    "object": {"a": 1},
    "run as number": {"run": 5},
    "run as list": {"run": []},
    "no such run": {"run": "abcdefghijkl"},
    "study as number": {"study": 5},
    "race as object": {"race": {}},
    "devices as text": {"devices": "cpu"},
    "devices as numbers": {"devices": [1]},
    "devices without kind": {"devices": [{}]},
    "kind as list": {"devices": [{"kind": []}]},
    "keys as text": {"keys": "all"},
    "keys of keys": {"keys": [["a"], {}]},
    "value as list": {"value": [[]]},
    "deep value": {"value": objects(300), "do": [], "keys": nest_lists(200)},
    "NaN inside": {"a": [float("nan")]},
    "10^400 inside": {"keys": [10**400], "from": 10**400, "limit": 10**400, "version": 10**400},
    "params as text": {"algorithm": "two-opt", "params": "all"},
    "params odd": {"algorithm": "two-opt", "params": {"climbers": [], "variant": {}}},
    "lane as list": {"lane": [], "entry": {}, "before": 5},
    "stages as text": [{"stages": "ab", "device": 5}] * 2,
    "stage odd": [{"stages": [{"algorithm": [], "params": 5}], "device": "auto", "label": 7}] * 2,
    "stage without": [{"stages": [{}]}] * 2,
    "algorithm": [{"stages": [{"algorithm": "two-opt", "params": {"climbers": {}}}], "device": []}] * 2,
    "no stages": [{"stages": [], "device": "auto", "label": "a"}] * 2,
    "label": [{"label": [], "stages": [{"algorithm": "two-opt", "params": {}}]}],
    "options": [{"value": 1, "search": 5}],
    "option": [{"value": "a", "search": "no number", "label": None}],
    "many": [{"value": "berlin52"}] * 3,
}
#: Ids by what is odd about them.
IDS: dict[str, Any] = {
    "text": "start",
    "number": 5,
    "null": None,
    "no object": {},
    "list": [],
    "another type": {"type": "other", "name": "a"},
    "without": {"type": "parameter"},
    "more": {"type": "parameter", "name": "a", "more": "b"},
    "number in it": {"type": "parameter", "name": 5},
    "list in it": {"type": "parameter", "name": []},
    "object in it": {"type": "parameter", "name": {}},
    "unknown": {"type": "parameter", "name": "abacus"},
    "surrogate": {"type": "parameter", "name": "\ud800"},
    "huge": {"type": "parameter", "name": "x" * 100_000},
    "wildcard": {"type": "parameter", "name": ["ALL"]},
    "lane": {"type": "lane-edit", "lane": "99"},
    "entry": {"type": "entry-edit", "entry": "\u00b2"},
    "deep": {"type": nest_lists(300)},
}
#: What is put in the place of a part of the body.
PARTS: dict[str, Any] = {
    "null": None,
    "number": 5,
    "text": "a",
    "no list": [],
    "no object": {},
    "list": [1, [], None],
    "object": {"id": "a"},
    "deep": nest_lists(988),
    "many": [{"id": "a", "property": "b", "value": 1}] * 300,
    "10^400": 10**400,
}
#: Properties that are said to have changed.
CHANGED: list[Any] = [
    [],
    ["no.such"],
    [""],
    ["."],
    ["start"],
    ["{"],
    ['{"a":1}.value'],
    ["{" * 5000 + ".value"],
    ['{"a":' * 988 + "1" + "}" * 988 + ".value"],
    ['{"lane":"99","type":"lane-edit"}.n_clicks_timestamp'],
    ['{"lane":[],"type":"lane-edit"}.n_clicks'],
    ["\ud800.value"],
    ["x" * 100_000],
    ["a.b"] * 5000,
    [5],
    [None],
    [[]],
    5,
    None,
    {},
    "url.search",
]
#: Bodies that are none.
BODIES: list[bytes] = [
    b"",
    b"{",
    b"\xff\xfe",
    b"null",
    b"5",
    b'"a"',
    b"[]",
    b"{}",
    b"[" * 988,
    b"[" * 988 + b"]" * 988,
    b"[" * 100_000,
    b'{"output":' * 988 + b"1" + b"}" * 988,
    b'{"output":1' + b"0" * 400 + b"}",
    b"1" + b"0" * 5000,
    b"NaN",
    b'{"output":"\\ud800"}',
]


class Posts:
    """All requests to all pages, with one valid request for each callback."""

    def __init__(self, served):
        self._served = served
        answer = {
            "race": served.race,
            "runs": [served.run] * 2,
            "lanes": describe_lanes(LANES[:2]),
            "state": "over",
            "alone": True,
        }
        visible = {"study": served.study, "version": ""}
        keys = {"keys": [f"run:{served.run}", f"study:{served.study}"]}
        self._stores = {
            ids.RUN: {"run": served.run},
            ids.STATUS: HERE,
            ids.ADOPTED: {"run": served.run, "race": served.race, "study": served.study},
            ids.CHOICE: {"value": "kroA100"},
            ids.FILE: FILE,
            ids.PERMALINK: {"algorithm": "two-opt", "params": {}},
            ids.WEIGHED: {"variant": "auto", "ants": 7},
            race_ids_module.RACE: answer,
            race_ids_module.LANES: LANES[:3],
            item_ids.EDITED: {**LANE, "entry": 0},
            study_ids.OPEN: {"study": served.study},
            study_ids.SHOWN: visible,
            study_ids.LATER: visible,
            study_ids.ENTRIES: ENTRIES,
            library_ids.COMPARE: keys,
            library_ids.SHADE: "dark",
            study_ids.SHADE: "light",
        }
        self.plain = []
        for page in served.pages:
            there = {str(each.id): each for each in page._layout_value()._traverse() if getattr(each, "id", None)}
            declared = {key: each for key, each in page.callback_map.items() if "callback" in each}
            self.plain += [Post(page, self._plain(there, *each), "nothing") for each in declared.items()]

    def _plain(self, there: dict[str, Any], key: str, declared: dict[str, Any]) -> dict[str, Any]:
        """A request as sent by the page: every value from its layout, and each button pressed once."""
        inputs, state = ([self._given(there, each) for each in declared[what]] for what in ("inputs", "state"))
        first = inputs[0][0] if isinstance(inputs[0], list) else inputs[0]
        name = dom_id(first["id"])
        outputs = [_output(each) for each in key.strip(".").split("...")]
        return {
            "output": key,
            "outputs": outputs if key.startswith("..") else outputs[0],
            "inputs": inputs,
            "state": state,
            "changedPropIds": [f"{name}.{first['property']}"],
        }

    def _given(self, there: dict[str, Any], declared: dict[str, str]) -> Any:
        name, prop = declared["id"], declared["property"]
        if name.startswith("{"):
            return _values_of_pattern(json.loads(name), prop)
        held = getattr(there.get(name), prop, None)
        value = self._stores.get(name, held if held is not None else NUMBERS.get(prop))
        if name == ids.URL:
            value = f"?v=1&instance=berlin52&algorithm=two-opt&run={self._served.run}"
        return json.loads(
            json.dumps({"id": name, "property": prop, "value": value}, default=lambda part: part.to_plotly_json())
        )

    def odd(self, chance: random.Random, of_each: int | None = None) -> Iterator[Post]:
        """Requests with one odd value each; for each argument, `of_each` random odd values, or all of them."""
        for post in self.plain:
            for where, at in _places(post.body):
                names = list(VALUES) if of_each is None else chance.sample(list(VALUES), of_each)
                for name in names:
                    yield _change_post(post, [*where, "value"], VALUES[name], f"{name} as {at}")
                if isinstance(where[-1], int) and len(where) == 3:
                    for name, value in IDS.items():
                        yield _change_post(post, [*where, "id"], value, f"{name} as id of {at}")
                    yield _change_post(post, where[:2], [], f"none of {at}")
                    twice = [_at(post.body, where)] * 2
                    yield _change_post(post, where[:2], twice, f"{at} twice")
            for part in post.body:
                for name, value in PARTS.items():
                    yield _change_post(post, [part], value, f"{name} as {part}")
                yield Post(post.page, {key: value for key, value in post.body.items() if key != part}, f"no {part}")
            for changed in CHANGED:
                yield _change_post(post, ["changedPropIds"], changed, f"changed {str(changed)[:40]}")
            yield _change_post(post, ["inputs"], post.body["inputs"] * 2, "inputs twice")
            yield _change_post(post, ["state"], [*post.body["state"], *post.body["inputs"]], "more state")
            yield _change_post(post, ["output"], self.plain[0].body["output"] + "x", "another output")
        for page in self._served.pages:
            yield from (Post(page, body, "no such body") for body in BODIES)


def _values_of_pattern(pattern: dict[str, Any], prop: str) -> list[dict[str, Any]]:
    """A page's values for the elements that match a pattern."""
    if pattern["type"] != "parameter":
        name = {key: "0" if value == ["ALL"] else value for key, value in pattern.items()}
        return [{"id": name, "property": prop, "value": name if prop == "id" else NUMBERS[prop]}]
    fields = [({"type": "parameter", "name": field}, value) for field, value in PARAMETERS.items()]
    return [{"id": name, "property": prop, "value": name if prop == "id" else value} for name, value in fields]


def _output(text: str) -> dict[str, str]:
    name, _, prop = text.rpartition(".")
    return {"id": name, "property": prop}


def _places(body: dict[str, Any]) -> Iterator[tuple[list, str]]:
    """The locations of values in a body, and their kinds."""
    for what in ("inputs", "state"):
        for k, each in enumerate(body[what]):
            if isinstance(each, list):
                yield [what, k, 0], f"{each[0]['id']['type']}.{each[0]['property']}"
            else:
                yield [what, k], f"{each['id']}.{each['property']}"


def _at(body: Any, where: list) -> Any:
    for key in where:
        body = body[key]
    return body


def _change_post(post: Post, where: list, value: Any, odd: str) -> Post:
    body = copy.copy(post.body)
    part: Any = body
    for key in where[:-1]:  # only what leads there is copied: deep values are not for `deepcopy`
        part[key] = copy.copy(part[key])
        part = part[key]
    part[where[-1]] = value
    return Post(post.page, body, odd)
