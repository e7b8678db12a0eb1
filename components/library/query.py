"""Parses the search in the untrusted query of the library page's address."""

import re
from urllib.parse import parse_qs

from components.types import Json
from runs.library.search import ORDERS, Query

#: Fields of a query that filter entries.
FACETS = ("kind", "algorithm", "instance", "tag", "state")
#: Numbers of rows listed: at first, and at most after "More"; further entries replace the listed ones.
PAGE_ROWS, MAX_ROWS = 100, 500
#: Maximum number of entries of a single action.
MAX_KEYS = 20_000
_MAX_TEXT, _MAX_CHOICES = 200, 200
#: Names of states in earlier releases, which links may contain.
_FORMER_STATES = {"over": "finished"}
#: Orders that start with the smallest value.
_RISING = ("name", "gap")


def parse_query(query: str) -> Query:
    """Return the search in an address's query, without invalid values.

    Parameters
    ----------
    query : str
        ``q`` (text), any number of values for each of `FACETS`, ``sort`` (one of `ORDERS`), ``up`` (1 or 0; by default
        that of the order), ``lanes`` (1: also list runs that are lanes of a race), ``from`` (number of entries to skip,
        a multiple of `MAX_ROWS`), ``limit``.
    """
    fields = parse_qs(query, keep_blank_values=True)
    first = {name: values[0] for name, values in fields.items()}
    order = first["sort"] if first.get("sort") in ORDERS else "created"
    if "state" in fields:
        fields["state"] = [_FORMER_STATES.get(state, state) for state in fields["state"]]
    return Query(
        kinds=parse_texts(fields.get("kind")),
        algorithms=parse_texts(fields.get("algorithm")),
        instances=parse_texts(fields.get("instance")),
        tags=parse_texts(fields.get("tag")),
        states=parse_texts(fields.get("state")),
        text=first.get("q", "").strip()[:_MAX_TEXT],
        order=order,
        descending=first["up"] != "1" if "up" in first else order not in _RISING,
        lanes=first.get("lanes") == "1",
        offset=MAX_ROWS * (_parse_number(first.get("from", ""), 0, MAX_KEYS, 0) // MAX_ROWS),
        limit=_parse_number(first.get("limit", ""), 1, MAX_ROWS, PAGE_ROWS),
    )


def parse_texts(value: Json, most: int = _MAX_CHOICES) -> tuple[str, ...]:
    """Return a list's distinct strings, as sent by a page."""
    sent = value[:most] if isinstance(value, list) else []
    return tuple(dict.fromkeys(value for value in sent if isinstance(value, str)))


def _parse_number(text: str, least: int, most: int, default: int) -> int:
    return min(most, max(least, int(text))) if re.fullmatch("[0-9]{1,6}", text) else default
