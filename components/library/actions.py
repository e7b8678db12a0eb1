"""Actions on library entries: rename, tag, delete, undo, export as CSV."""

from collections.abc import Callable
from datetime import UTC
from typing import NamedTuple

from components.library.query import MAX_KEYS, parse_query, parse_texts
from components.library.rows import format_count
from components.shell.texts import library as text
from components.types import Json, JsonObject
from data import moments
from data.csv_text import format_rows
from runs.library.search import Query
from runs.library.service import Entry, Library, NoSuchEntry, make_title
from runs.translation import translate

_COLUMNS = (
    "kind", "id", "name", "instances", "cities", "algorithms", "length", "gap_percent", "seconds", "runs", "bytes",
    "begun", "tags", "state",
)  # fmt: skip


class InvalidAction(ValueError):
    """The request is not an action that the page sends."""

    def __init__(self) -> None:
        super().__init__(text("action.invalid"))


class EntriesGone(LookupError):
    """Nothing was changed, since some entries no longer exist.

    Parameters
    ----------
    sentence : str
    keys : tuple of str
        Keys of these entries.
    """

    def __init__(self, sentence: str, keys: tuple[str, ...]) -> None:
        super().__init__(sentence)
        self.keys = keys


class ActionResult(NamedTuple):
    """The result of an action.

    Attributes
    ----------
    says : str
        One sentence; may be empty.
    undo : str
        Token to undo the action, if that is possible.
    keys, gone : tuple of str
        Entries affected, and entries that no longer exist.
    refused : bool
        Whether part of the action failed.
    csv : str
        The requested file.
    """

    says: str = ""
    undo: str = ""
    keys: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    refused: bool = False
    csv: str = ""


def do_action(library: Library, request: Json) -> ActionResult:
    """Carry out the action requested by the page.

    Raises
    ------
    InvalidAction
    EntriesGone
    BadName
        If a name or a tag is invalid.
    RunFailed
        If files cannot be moved or written.
    """
    request = request if isinstance(request, dict) else {}
    work = _WORK.get(str(request.get("do")))
    if work is None:
        raise InvalidAction
    keys = parse_texts(request.get("keys"), MAX_KEYS)
    try:
        return work(library, request, keys)
    except NoSuchEntry as refusal:  # deleted in the meantime, on another page
        gone = _find_missing(library, keys)
        says = text("action.gone", count=len(gone), entries=format_count(gone)) if gone else translate(str(refusal))
        raise EntriesGone(says, gone) from None


def _find_missing(library: Library, keys: tuple[str, ...]) -> tuple[str, ...]:
    existing = {entry.key for entry in library.search(Query(lanes=True, limit=None)).entries} if keys else set()
    return tuple(key for key in keys if key not in existing)


def _rename(library: Library, request: JsonObject, keys: tuple[str, ...]) -> ActionResult:
    if len(keys) != 1:
        raise InvalidAction
    name = request.get("name")
    library.rename(keys[0], name if isinstance(name, str) else "")
    return ActionResult(keys=keys)


def _tag(library: Library, request: JsonObject, keys: tuple[str, ...]) -> ActionResult:
    add, remove = parse_texts(request.get("add")), parse_texts(request.get("remove"))
    library.tag(keys, add=add, remove=remove)
    tags = ", ".join((*add, *remove))
    return ActionResult(
        text("action.tagged" if add else "action.untagged", entries=format_count(keys), tags=tags), keys=keys
    )


def _delete(library: Library, _: JsonObject, keys: tuple[str, ...]) -> ActionResult:
    deleted = library.delete(keys)
    parts = [text("action.deleted", entries=format_count(deleted.keys))] if deleted.keys else []
    parts += [_join_refusals(list(deleted.refused.values()))] if deleted.refused else []
    missing = tuple(key for key, reason in deleted.refused.items() if reason == str(NoSuchEntry()))
    token = deleted.token if deleted.keys else ""
    gone = (*deleted.keys, *missing)
    return ActionResult(" ".join(parts), token, deleted.keys, gone, bool(deleted.refused))


def _join_refusals(sentences: list[str]) -> str:
    """Return why entries were not deleted: the reason, or the first reason and how many there are."""
    different = list(dict.fromkeys(sentences))
    if len(different) == 1 and len(sentences) == 1:
        return different[0]
    return text("action.refused", count=len(sentences), reasons=" ".join(different[:2]))


def _undo(library: Library, request: JsonObject, _: tuple[str, ...]) -> ActionResult:
    token = request.get("token")
    keys = library.undo(token if isinstance(token, str) else "")
    return ActionResult(text("action.restored", entries=format_count(keys)), keys=tuple(keys))


def _empty_trash(library: Library, _: JsonObject, __: tuple[str, ...]) -> ActionResult:
    library.empty_trash()
    return ActionResult(text("action.emptied"))


def _list_all(library: Library, request: JsonObject, _: tuple[str, ...]) -> ActionResult:
    """Return the keys of all search results, including those not listed yet."""
    query = request.get("query")
    if not isinstance(query, str):
        raise InvalidAction
    page = library.search(parse_query(query)._replace(offset=0, limit=MAX_KEYS))
    return ActionResult(keys=tuple(entry.key for entry in page.entries))


def _save(library: Library, _: JsonObject, keys: tuple[str, ...]) -> ActionResult:
    entries = [library.get(key) for key in keys]
    return ActionResult(text("action.exported", entries=format_count(keys)), keys=keys, csv=format_csv(entries))


def format_csv(entries: list[Entry]) -> str:
    """Format entries as CSV with RFC 4180 line ends, escaping strings that spreadsheets would take for formulas."""
    rows: list[tuple[Json, ...]] = [_COLUMNS]
    for entry in entries:
        started = moments.format_moment(entry.created, "%Y-%m-%dT%H:%M:%S+00:00", UTC)
        lists = [" ".join(names) for names in (entry.instances, entry.algorithms)]
        facts = (
            entry.length,
            entry.gap_percent,
            entry.seconds,
            entry.runs,
            entry.bytes,
            started,
            ", ".join(entry.tags),
        )
        rows.append((entry.kind, entry.id, make_title(entry), lists[0], entry.n, lists[1], *facts, entry.state))
    return format_rows(rows)


_WORK: dict[str, Callable[..., ActionResult]] = {
    "rename": _rename, "tag": _tag, "delete": _delete, "undo": _undo, "empty": _empty_trash, "all": _list_all,
    "save": _save,
}  # fmt: skip
