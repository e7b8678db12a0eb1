"""The actions on entries of the library: rename, tag, delete, undo, export as CSV."""

import asyncio
from collections.abc import Callable
from datetime import UTC
from typing import Any, NamedTuple

import dash
from dash import ClientsideFunction, Input, Output, no_update

from components.library import ids
from components.library.query import MOST_KEYS, asked, texts
from components.library.rows import counted
from data import moments
from runs.library.service import BadName, Entry, NoSuchEntry, title
from solvers.errors import RunFailed
from studies.export.csv import table_text

_COLUMNS = (
    "kind", "id", "name", "instances", "cities", "algorithms", "length", "gap_percent", "seconds", "runs", "bytes",
    "begun", "tags", "state",
)  # fmt: skip


class Told(NamedTuple):
    """The result of an action: one sentence, the token that undoes it, its keys, and the keys that no longer exist."""

    says: str = ""
    undo: str = ""
    keys: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    refused: bool = False
    file: Any = no_update


def done(library, asks: Any) -> Told:
    """Do the action that the page requests, or return in one sentence why not."""
    asks = asks if isinstance(asks, dict) else {}
    work = _WORK.get(str(asks.get("do")))
    if work is None:
        return Told()
    keys = texts(asks.get("keys"), MOST_KEYS)
    try:
        return work(library, asks, keys)
    except NoSuchEntry as refusal:  # deleted meanwhile, on another page
        gone = _gone(library, keys)
        says = f"Nothing was done: {counted(gone)} no longer in the library." if gone else str(refusal)
        return Told(says, gone=gone, refused=True)
    except (BadName, RunFailed) as refusal:
        return Told(str(refusal), refused=True)


def _gone(library, keys: tuple[str, ...]) -> tuple[str, ...]:
    here = {entry.key for entry in library.search(lanes=True, limit=None).entries} if keys else set()
    return tuple(key for key in keys if key not in here)


def _rename(library, asks: dict[str, Any], keys: tuple[str, ...]) -> Told:
    if len(keys) != 1:
        return Told()
    name = asks.get("name")
    library.rename(keys[0], name if isinstance(name, str) else "")
    return Told(keys=keys)


def _tag(library, asks: dict[str, Any], keys: tuple[str, ...]) -> Told:
    add, remove = texts(asks.get("add")), texts(asks.get("remove"))
    library.tag(keys, add=add, remove=remove)
    named = ", ".join((*add, *remove))
    verb = "Tagged" if add else "Removed the tag from"
    return Told(f"{verb} {counted(keys)}: {named}.", keys=keys)


def _delete(library, _: dict[str, Any], keys: tuple[str, ...]) -> Told:
    gone = library.delete(keys)
    said = [f"{counted(gone.keys)} deleted."] if gone.keys else []
    said += [_refusals(list(gone.refused.values()))] if gone.refused else []
    lost = tuple(key for key, why in gone.refused.items() if why == str(NoSuchEntry()))
    return Told(" ".join(said), gone.token if gone.keys else "", gone.keys, (*gone.keys, *lost), bool(gone.refused))


def _refusals(sentences: list[str]) -> str:
    """Why some could not be deleted: the one sentence, or the number of them and the first."""
    different = list(dict.fromkeys(sentences))
    if len(different) == 1 and len(sentences) == 1:
        return different[0]
    return f"{len(sentences)} could not be deleted: {' '.join(different[:2])}"


def _undo(library, asks: dict[str, Any], _: tuple[str, ...]) -> Told:
    token = asks.get("token")
    keys = library.undo(token if isinstance(token, str) else "")
    return Told(f"{counted(keys)} restored.", keys=tuple(keys))


def _empty(library, _: dict[str, Any], __: tuple[str, ...]) -> Told:
    library.empty_trash()
    return Told("What was deleted is gone for good.")


def _all(library, asks: dict[str, Any], _: tuple[str, ...]) -> Told:
    """The keys of everything that the page's search finds, including entries that are not listed yet."""
    page = library.search(**asked(asks.get("ask")) | {"offset": 0, "limit": MOST_KEYS})
    return Told(keys=tuple(entry.key for entry in page.entries))


def _save(library, _: dict[str, Any], keys: tuple[str, ...]) -> Told:
    entries = [library.get(key) for key in keys]
    file = {"content": csv_of(entries), "filename": "library.csv", "type": "text/csv", "base64": False}
    return Told(f"{counted(keys)} in library.csv.", keys=keys, file=file)


def csv_of(entries: list[Entry]) -> str:
    """One line per entry, with RFC 4180 line ends; texts that a spreadsheet would take for formulas are escaped."""
    rows: list[tuple[Any, ...]] = [_COLUMNS]
    for each in entries:
        begun = moments.formatted(each.created, "%Y-%m-%dT%H:%M:%S+00:00", UTC)
        lists = [" ".join(many) for many in (each.instances, each.algorithms)]
        facts = (each.length, each.gap_percent, each.seconds, each.runs, each.bytes, begun, ", ".join(each.tags))
        rows.append((each.kind, each.id, title(each), lists[0], each.n, lists[1], *facts, each.state))
    return table_text(rows)


_WORK: dict[str, Callable[..., Told]] = {
    "rename": _rename, "tag": _tag, "delete": _delete, "undo": _undo, "empty": _empty, "all": _all, "save": _save,
}  # fmt: skip


def register(app: dash.Dash, library) -> None:
    """Do the requested actions, and return the results to the page."""

    @app.callback(Output(ids.DONE, "data"), Output(ids.EXPORT, "data"), Input(ids.DO, "data"))
    async def act(asks):
        told = await asyncio.to_thread(done, library, asks)
        about = {"at": asks.get("at"), "do": asks.get("do")} if isinstance(asks, dict) else {}
        return about | {name: value for name, value in told._asdict().items() if name != "file"}, told.file

    app.clientside_callback(
        ClientsideFunction("catalogue", "tell"), Input(ids.DONE, "data"), prevent_initial_call=False
    )
