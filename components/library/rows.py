"""Library entries as JSON, from which `assets/library/rows.js` builds rows."""

from collections.abc import Collection

from components.library.query import FACETS
from components.shell import facts, palette
from components.shell.texts import common
from components.shell.texts import library as text
from components.types import JsonObject
from runs.language import per_language
from runs.library.entry import UNREADABLE
from runs.library.service import Entry, make_title
from runs.store.summary import find_solver
from runs.translation import translate, translate_part

_KINDS = per_language(lambda: {kind: text(f"kind.{kind}") for kind in ("run", "race", "study")})
#: Addresses that open entries of each kind, below the base path.
_PLACES = {"run": "?run={}", "race": "race/?id={}", "study": "study/?id={}"}
#: States that can still change without user action.
AT_WORK = ("running", "paused", "queued", "starting", "elsewhere")


def entry_to_json(entry: Entry, base_path: str, own: bool = True) -> JsonObject:
    """Convert an entry to JSON. Its strings are untrusted, so scripts insert them only as text.

    Parameters
    ----------
    entry : Entry
    base_path : str
        Path under which the application is served, with a trailing slash.
    own : bool
        Whether the current visitor may change the entry.
    """
    return {
        "key": entry.key,
        "kind": entry.kind,
        "id": entry.id,
        "name": entry.name,
        "title": entry.name or translate_part(make_title(entry)),
        "href": make_address(entry, base_path),
        "tags": list(entry.tags),
        "created": entry.created,
        "when": facts.format_local_time(entry.created),
        "state": entry.state,
        "state_text": facts.translate_state(entry.state),
        "working": entry.state in AT_WORK,
        "instances": list(entry.instances),
        "n": entry.n,
        "algorithms": [_choose_style(name, entry, k) for k, name in enumerate(entry.algorithms)],
        "length": entry.length,
        "gap": entry.gap_percent,
        "optimal": entry.proven or (entry.gap_percent == 0 and entry.optimum_proven),
        "seconds": entry.seconds,
        "runs": entry.runs,
        "total": entry.total,
        "bytes": entry.bytes,
        "race": make_race_link(entry, base_path),
        "setting": describe_settings(entry),
        "deletable": entry.deletion_refusal,
        "own": own,
    }


def make_address(entry: Entry, base_path: str) -> str:
    """Return the address of an entry's page; empty if the entry is unreadable."""
    return "" if entry.state == UNREADABLE else base_path + _PLACES[entry.kind].format(entry.id)


def describe_settings(entry: Entry) -> str:
    """Return the settings that set a run apart from others of its algorithm, such as 1 000 climbers · seed 3."""
    parts = [] if entry.seed is None else [common("run.seed", seed=str(entry.seed))]
    if entry.requested is not None and entry.uses:
        parts.insert(0, facts.count_units(entry.requested, find_solver(entry.uses[-1]).iteration_unit))
    return " \u00b7 ".join(parts)


def make_race_link(entry: Entry, base_path: str) -> dict[str, str] | None:
    """Return title and address of the race in which a run is a lane; None for other entries."""
    if entry.race is None:
        return None
    return {"title": translate_part(entry.race_title), "href": base_path + _PLACES["race"].format(entry.race)}


def _choose_style(algorithm: str, entry: Entry, number: int) -> dict[str, str]:
    titled = entry.titles[number] if number < len(entry.titles) else ""
    if entry.kind != "study":  # a study's labels are a person's own words
        titled = translate_part(titled)
    return {
        "name": algorithm,
        "title": titled or algorithm_title(algorithm),
        "colour": palette.find_variable(algorithm),
    }


def algorithm_title(algorithm: str) -> str:
    """Return an algorithm's title; its name if this release lacks it."""
    return translate(find_solver(algorithm).title)


def format_count(keys: Collection[str]) -> str:
    """Return a count with its noun: 3 runs, 1 race, or 4 entries of several kinds."""
    kinds = {key.partition(":")[0] for key in keys}
    kind = kinds.pop() if len(kinds) == 1 else "entry"
    return text(f"count.{kind}", count=len(keys))


def list_facets(counts: dict[str, dict[str, int]]) -> dict[str, list[JsonObject]]:
    """Return each facet's values with counts, most frequent first."""
    return {facet: _values(facet, counts.get(facet, {})) for facet in FACETS}


def _values(facet: str, counts: dict[str, int]) -> list[JsonObject]:
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0].casefold()))
    return [{"value": value, "count": count, **_show_value(facet, value)} for value, count in ordered]


def _show_value(facet: str, value: str) -> dict[str, str]:
    if facet == "algorithm":
        return {"label": algorithm_title(value), "colour": palette.find_variable(value)}
    if facet == "state":
        return {"label": facts.translate_state(value)}
    return {"label": _KINDS().get(value, value) if facet == "kind" else value}
