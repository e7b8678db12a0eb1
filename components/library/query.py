"""Reads the library page's search out of untrusted values that a browser sends."""

from typing import Any

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


def search_arguments(value: Any) -> dict[str, Any]:
    """The arguments of `Library.search` for the page's search; invalid values are left out.

    Parameters
    ----------
    value : dict
        ``q`` (text), a list of texts for each of `FACETS`, ``sort`` (one of `ORDERS`), ``up`` (bool), ``lanes``
        (bool: whether runs that are lanes of a race are listed by themselves too), ``from`` (how many are
        skipped), ``limit``.
    """
    given = value if isinstance(value, dict) else {}
    arguments: dict[str, Any] = {argument: texts(given.get(facet)) for facet, argument in FACETS.items()}
    return arguments | {
        "text": _text(given.get("q")),
        "order": given["sort"] if given.get("sort") in ORDERS else "created",
        "descending": given.get("up") is not True,
        "lanes": given.get("lanes") is True,
        "offset": _number(given.get("from"), 0, MOST_KEYS, 0),
        "limit": _number(given.get("limit"), 1, MOST_ROWS, PAGE_ROWS),
    }


def texts(value: Any, most: int = _MOST_CHOICES) -> tuple[str, ...]:
    """The distinct texts of a list that was sent."""
    sent = value[:most] if isinstance(value, list) else []
    return tuple(dict.fromkeys(each for each in sent if isinstance(each, str)))


def _text(value: Any) -> str:
    return value.strip()[:_MOST_TEXT] if isinstance(value, str) else ""


def _number(value: Any, least: int, most: int, default: int) -> int:
    return min(most, max(least, value)) if isinstance(value, int) and not isinstance(value, bool) else default
