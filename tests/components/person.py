"""Plays a person at a page through its callbacks: chooses a value or presses a button, and follows the chain.

The page is its layout and what the server's callbacks answer by HTTP, asked as a browser asks them. Callbacks that are
scripts of the browser are left out.
"""

import json
from collections.abc import Iterator
from typing import Any

from dash.development.base_component import Component
from fastapi.testclient import TestClient
from plotly.utils import PlotlyJSONEncoder

Key = tuple[str, str]  #: an id as the browser writes it, and the name of a property


class Person:
    """A person on a Dash page, who waits until its start button is enabled.

    Parameters
    ----------
    app : dash.Dash
    layout : Component
    start : str
        The button that a script enables once the address has filled the form.
    """

    def __init__(self, app, layout: Component, start: str) -> None:
        self._client = TestClient(app.server)
        self._path = app.config.requests_pathname_prefix + "_dash-update-component"
        self._callbacks = [each for each in app._callback_list if not each["clientside_function"]]
        self._values: dict[Key, Any] = {}
        self._clicks = 0
        self._see(json.loads(json.dumps(layout, cls=PlotlyJSONEncoder)))
        self._values[start, "disabled"] = False

    def sees(self, component: str | dict[str, Any], name: str = "value") -> Any:
        """A property of a component on the page."""
        return self._values[_text(component), name]

    def form(self) -> dict[str, Any]:
        """The values of all controls whose ids have the type "parameter", by their names."""
        wanted = {"id": '{"name":["ALL"],"type":"parameter"}', "property": "value"}
        return {json.loads(key[0])["name"]: self._values[key] for key in self._find_components(wanted)}

    def chooses(self, component: str | dict[str, Any], value: Any) -> None:
        """Set the value of a control."""
        assert any(key[0] == _text(component) for key in self._values), f"{component} is not on the page"
        self._change({(_text(component), "value"): value})

    def finds(self, store: str, data: Any) -> None:
        """Set a store's data, as an address does."""
        self._change({(store, "data"): data})

    def presses(self, button: str | dict[str, Any]) -> None:
        """Press a button."""
        assert not self._values.get((_text(button), "disabled")), f"{button} cannot be pressed"
        self._clicks += 1
        self._change({(_text(button), name): self._clicks for name in ("n_clicks", "n_clicks_timestamp")})

    def _change(self, values: dict[Key, Any]) -> None:
        """Change properties, and call every callback that has one of them as an input."""
        for (component, name), value in values.items():
            if name == "children":
                for gone in _inside(self._values.get((component, name))):
                    self._values = {key: stored for key, stored in self._values.items() if key[0] != gone}
                self._see(value)
            self._values[component, name] = value
        for callback in self._callbacks:
            found = [key for wanted in callback["inputs"] for key in self._find_components(wanted) if key in values]
            if found:
                self._change(self._answer(callback, found))

    def _answer(self, callback: dict[str, Any], changed: list[Key]) -> dict[Key, Any]:
        """The changes in a callback's response."""
        outputs = [_output(text) for text in callback["output"].strip(".").split("...")]
        body = {
            "output": callback["output"],
            "outputs": outputs if callback["output"].startswith("..") else outputs[0],
            "inputs": [self._given(wanted) for wanted in callback["inputs"]],
            "state": [self._given(wanted) for wanted in callback["state"]],
            "changedPropIds": [".".join(key) for key in changed],
        }
        answer = self._client.post(self._path, json=body)
        assert answer.status_code in (200, 204), answer.text
        data = answer.json()["response"] if answer.status_code == 200 else {}
        return {(component, name): value for component, named in data.items() for name, value in named.items()}

    def _given(self, wanted: dict[str, str]) -> Any:
        found = [
            {"id": _id(key[0]), "property": key[1], "value": self._values.get(key)}
            for key in self._find_components(wanted)
        ]
        return found if wanted["id"].startswith("{") else found[0]

    def _find_components(self, wanted: dict[str, str]) -> list[Key]:
        """The components of an input or state; for a pattern, all that match it."""
        if not wanted["id"].startswith("{"):
            return [(wanted["id"], wanted["property"])]
        pattern, known = json.loads(wanted["id"]), dict.fromkeys(component for component, _ in self._values)
        same = [text for text in known if text.startswith("{") and _fits(json.loads(text), pattern)]
        return [(text, wanted["property"]) for text in same]

    def _see(self, part: Any) -> None:
        for props in _components(part):
            self._values |= {(_text(props["id"]), name): value for name, value in props.items() if name != "id"}
            self._values.setdefault((_text(props["id"]), "id"), props["id"])


def _components(part: Any) -> Iterator[dict[str, Any]]:
    """The properties of all components with an id."""
    if isinstance(part, list):
        for each in part:
            yield from _components(each)
    elif isinstance(part, dict) and "props" in part:
        if "id" in part["props"]:
            yield part["props"]
        yield from _components(part["props"].get("children"))


def _inside(part: Any) -> list[str]:
    return [_text(props["id"]) for props in _components(part)]


def _text(component: str | dict[str, Any]) -> str:
    """An id in the form that the browser writes."""
    return component if isinstance(component, str) else json.dumps(component, sort_keys=True, separators=(",", ":"))


def _id(text: str) -> Any:
    return json.loads(text) if text.startswith("{") else text


def _fits(found: dict[str, Any], pattern: dict[str, Any]) -> bool:
    return found.keys() == pattern.keys() and all(pattern[name] in (["ALL"], found[name]) for name in pattern)


def _output(text: str) -> dict[str, str]:
    component, _, name = text.rpartition(".")
    return {"id": component, "property": name}
