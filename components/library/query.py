"""Reads the library page's search out of the query of its address, which is untrusted."""

import re
from typing import Any
from urllib.parse import parse_qs

from runs.library.search import ORDERS

#: The filters, and their names as arguments of `Library.search`.
FACETS = {
    "kind": "kinds", "algorithm": "algorithms", "instance": "instances", "tag": "tags", "state": "states",
}  # fmt: skip
#: Rows that a list shows at first, and at most after "More"; further entries replace these.
PAGE_ROWS, MOST_ROWS = 100, 500
#: Most entries of one action.
MOST_KEYS = 20_000
_MOST_TEXT, _MOST_CHOICES = 200, 200
#: States as earlier releases called them: links may have them.
_FORMER_STATES = {"over": "finished"}
#: Orders that begin with the least value.
_RISING = ("name", "gap")


def search_arguments(query: str) -> dict[str, Any]:
    """The arguments of `Library.search` for the query of an address; invalid values are left out.

    Parameters
    ----------
    query : str
        ``q`` (text), any number of values for each of `FACETS`, ``sort`` (one of `ORDERS`), ``up`` (1 or 0; what the
        order suggests if left out), ``lanes`` (1: runs that are lanes of a race are listed by themselves too),
        ``from`` (how many are skipped, a multiple of `MOST_ROWS`), ``limit``.
    """
    fields = parse_qs(query, keep_blank_values=True)
    first = {name: values[0] for name, values in fields.items()}
    order = first["sort"] if first.get("sort") in ORDERS else "created"
    if "state" in fields:
        fields["state"] = [_FORMER_STATES.get(state, state) for state in fields["state"]]
    arguments: dict[str, Any] = {argument: texts(fields.get(facet)) for facet, argument in FACETS.items()}
    return arguments | {
        "text": first.get("q", "").strip()[:_MOST_TEXT],
        "order": order,
        "descending": first["up"] != "1" if "up" in first else order not in _RISING,
        "lanes": first.get("lanes") == "1",
        "offset": MOST_ROWS * (_number(first.get("from", ""), 0, MOST_KEYS, 0) // MOST_ROWS),
        "limit": _number(first.get("limit", ""), 1, MOST_ROWS, PAGE_ROWS),
    }


def texts(value: Any, most: int = _MOST_CHOICES) -> tuple[str, ...]:
    """The distinct texts of a list that was sent."""
    sent = value[:most] if isinstance(value, list) else []
    return tuple(dict.fromkeys(each for each in sent if isinstance(each, str)))


def _number(text: str, least: int, most: int, default: int) -> int:
    return min(most, max(least, int(text))) if re.fullmatch("[0-9]{1,6}", text) else default
