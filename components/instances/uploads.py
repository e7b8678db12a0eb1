"""Handles uploads: chooses an instance, shows a tour, or opens the columns' dialog for a table."""

from dataclasses import asdict
from typing import NamedTuple

from dash import Dash, Input, NoUpdate, Output, State, no_update

from components.instances.picker import instance_option, with_option
from components.instances.references import parse_reference
from components.shell import ids
from components.shell.callbacks import states
from components.shell.errors import REFUSALS, describe_refusal
from components.shell.texts import instances as text
from components.shell.upload_area import decode_upload
from components.types import Json, JsonObject, Option, Property
from data.collection.uploads import make_reference
from data.errors import InvalidInstance
from data.instance import Instance
from data.recognition import detect_kind
from data.tables.table import Table
from data.tsplib.normal_form import reduce_to_line
from runs.bounded_pool import IMPORTS
from runs.service import RunService
from runs.visitors import current_visitor

MAX_FILENAME = 200


class UploadResult(NamedTuple):
    """Outputs that an upload changes."""

    options: list[Option] | NoUpdate = no_update
    instance: str | list[str] | NoUpdate = no_update
    table: Property = no_update
    search: str | NoUpdate = no_update
    note: str = ""
    dialog_note: str = ""


def handle_file(run_service: RunService, file: Json, chosen: Json, options: Json, tours: bool = True) -> UploadResult:
    """Pass a file to the run service; errors become one-sentence messages.

    Parameters
    ----------
    run_service : runs.service.RunService
    file : dict
        ``contents``, a data URL, and ``filename``.
    chosen : str or list of str
        Value of the menu. An uploaded tour must belong to this instance; if the value is a list, an uploaded instance
        is added to it.
    options : list of dict
        Options of the instance menu.
    tours : bool
        Whether the page can show a tour.
    """
    try:
        raw, filename = _read_file(file)
        kind = detect_kind(raw, filename)
        if kind == "table" and (table := run_service.peek_table(raw)).kind != "EXPLICIT":
            return UploadResult(table=_column_choice(table, filename))
        if kind == "tour" and not tours:
            raise InvalidInstance("UPLOAD", text("upload.tour"))
        if kind == "tour":
            return _show_tour(run_service, raw, filename, chosen)
        return _choose(run_service.adopt_instance(raw, filename), options, chosen)
    except REFUSALS as refusal:
        return _refusal(file, refusal)


def _refusal(file: Json, refusal: Exception) -> UploadResult:
    """Return the error message, after the file's name."""
    filename = reduce_to_line(str(file.get("filename", "")), MAX_FILENAME) if isinstance(file, dict) else ""
    sentence = describe_refusal(refusal)
    message = text("upload.wrong", filename=filename, reason=sentence) if filename else sentence
    return UploadResult(note=message, dialog_note=message)


def _read_file(file: Json) -> tuple[bytes, str]:
    if not isinstance(file, dict):
        raise InvalidInstance("UPLOAD", text("upload.lost"))
    return decode_upload(file.get("contents")), reduce_to_line(str(file.get("filename", "")), MAX_FILENAME)


def _show_tour(run_service: RunService, raw: bytes, filename: str, chosen: Json) -> UploadResult:
    """Show a tour of the chosen instance, and report the reader's warnings."""
    warnings: list[str] = []
    run = run_service.adopt_tour(raw, filename, parse_reference(chosen), warnings, current_visitor().id)
    return UploadResult(search=f"?run={run}", note=" ".join(warnings))


def _choose(instance: Instance, options: Json, chosen: Json) -> UploadResult:
    option = instance_option(make_reference(instance.sha256, instance.upload), instance)
    value = option["value"]
    several = [*dict.fromkeys([*map(str, chosen), value])] if isinstance(chosen, list) else value
    return UploadResult(with_option(options, option), several)


def _column_choice(table: Table, filename: str) -> JsonObject:
    """Return what the dialog for choosing columns shows."""
    return {
        "filename": filename,
        "columns": [asdict(column) for column in table.columns],
        "rows": table.rows,
        "guess": list(table.guess),
        "kind": table.kind,
    }


def handle_table(
    run_service: RunService, file: Json, x: Json, y: Json, kind: Json, options: Json, chosen: Json = None
) -> UploadResult:
    """Make an instance from two columns of the uploaded table, and choose it.

    Parameters
    ----------
    run_service : runs.service.RunService
    file : dict
        As for `handle_file`.
    x, y : str
        Column numbers, counted from 0, as in the dialog's fields.
    kind : str
        The kind of distance, a TSPLIB edge weight type.
    options : list of dict
        Options of the instance menu.
    chosen : str or list of str
        As for `handle_file`.
    """
    try:
        raw, filename = _read_file(file)
        instance = run_service.adopt_table(raw, filename, _column(x), _column(y), str(kind))
        return _choose(instance, options, chosen)._replace(table=None)
    except REFUSALS as refusal:
        return _refusal(file, refusal)


def _column(value: Json) -> int:
    if not isinstance(value, str) or not (value.isascii() and value.isdigit()) or len(value) > 9:
        raise InvalidInstance("COLUMNS", text("columns.missing"))
    return int(value)


def register(
    app: Dash, run_service: RunService, tours: bool = True, menu: str = ids.INSTANCE, has_dialog: bool = True
) -> None:
    """Connect the uploads (`assets/common/upload.js`) and the dialog of columns.

    Parameters
    ----------
    app : dash.Dash
    run_service : runs.service.RunService
    tours : bool
        Whether tours are shown.
    menu : str
        Id of the menu of instances; a menu for several instances adds the new one to those chosen.
    has_dialog : bool
        Whether the page has the dialog of instances.
    """
    notes = [ids.UPLOAD_NOTE, *([ids.INSTANCES_UPLOAD_NOTE] if has_dialog else [])]

    @app.callback(
        Output(menu, "options", allow_duplicate=True),
        Output(menu, "value", allow_duplicate=True),
        Output(ids.TABLE, "data"),
        Output(ids.URL, "search", allow_duplicate=True),
        *(Output(note, "children", allow_duplicate=True) for note in notes),
        Input(ids.FILE, "data"),
        State(menu, "value"),
        State(menu, "options"),
    )
    async def handle(file: Json, chosen: Json, options: Json) -> tuple:
        result = await IMPORTS.run(handle_file, run_service, file, chosen, options, tours)
        return result[: 4 + len(notes)]

    @app.callback(
        Output(menu, "options", allow_duplicate=True),
        Output(menu, "value", allow_duplicate=True),
        Output(ids.TABLE, "data", allow_duplicate=True),
        Output(ids.TABLE_NOTE, "children"),
        Input(ids.TABLE_USE, "n_clicks"),
        State(ids.FILE, "data"),
        *states("value", ids.TABLE_X, ids.TABLE_Y, ids.TABLE_KIND),
        State(menu, "options"),
        State(menu, "value"),
    )
    async def use_table(
        _: Json, file: Json, x: Json, y: Json, kind: Json, options: Json, chosen: Json
    ) -> tuple[Property, Property, Property, str]:
        result = await IMPORTS.run(handle_table, run_service, file, x, y, kind, options, chosen)
        return result.options, result.instance, result.table, result.note
