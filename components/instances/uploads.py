"""Handles uploads: chooses an instance, shows a tour, or opens the columns' dialog for a table."""

from dataclasses import asdict
from typing import NamedTuple

import dash
from dash import Input, NoUpdate, Output, State, no_update

from components.instances.picker import instance_option, with_option
from components.instances.references import parse_reference
from components.shell import ids
from components.shell.errors import REFUSALS, error_message
from components.shell.texts import instances as text
from components.shell.upload_area import decode_upload
from components.types import Json, JsonObject, Option, Property
from data.collection.uploads import reference
from data.errors import InvalidInstance
from data.instance import Instance
from data.recognition import detect_kind
from data.tables.table import Table
from data.tsplib.normal_form import one_line
from runs.bounded_pool import IMPORTS
from runs.service import RunService
from runs.visitors import visitor

MAX_FILENAME = 200


class UploadResult(NamedTuple):
    """Outputs that an upload changes."""

    options: list[Option] | NoUpdate = no_update
    instance: str | NoUpdate = no_update
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
    chosen : str
        Value of the menu; a tour must belong to this instance.
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
        return _choose(run_service.adopt_instance(raw, filename), options)
    except REFUSALS as refusal:
        return _refusal(file, refusal)


def _refusal(file: Json, refusal: Exception) -> UploadResult:
    """Return the error message, after the file's name."""
    filename = one_line(str(file.get("filename", "")), MAX_FILENAME) if isinstance(file, dict) else ""
    sentence = error_message(refusal)
    message = text("upload.wrong", filename=filename, reason=sentence) if filename else sentence
    return UploadResult(note=message, dialog_note=message)


def _read_file(file: Json) -> tuple[bytes, str]:
    if not isinstance(file, dict):
        raise InvalidInstance("UPLOAD", text("upload.lost"))
    return decode_upload(file.get("contents")), one_line(str(file.get("filename", "")), MAX_FILENAME)


def _show_tour(run_service: RunService, raw: bytes, filename: str, chosen: Json) -> UploadResult:
    """Show a tour of the chosen instance, and report the reader's warnings."""
    warnings: list[str] = []
    run = run_service.adopt_tour(raw, filename, parse_reference(chosen), warnings, visitor().id)
    return UploadResult(search=f"?run={run}", note=" ".join(warnings))


def _choose(instance: Instance, options: Json) -> UploadResult:
    option = instance_option(reference(instance.sha256, instance.upload), instance)
    return UploadResult(with_option(options, option), option["value"])


def _column_choice(table: Table, filename: str) -> JsonObject:
    """Return the contents of the columns' dialog."""
    return {
        "filename": filename,
        "columns": [asdict(column) for column in table.columns],
        "rows": table.rows,
        "guess": list(table.guess),
        "kind": table.kind,
    }


def handle_table(run_service: RunService, file: Json, x: Json, y: Json, kind: Json, options: Json) -> UploadResult:
    """Choose the instance made of two columns of the uploaded table.

    Parameters
    ----------
    run_service : runs.service.RunService
    file : dict
        As for `handle_file`.
    x, y : str
        Numbers of the columns from 0, as in the dialog's fields.
    kind : str
        The kind of distance, a TSPLIB edge weight type.
    options : list of dict
        Options of the instance menu.
    """
    try:
        raw, filename = _read_file(file)
        return _choose(run_service.adopt_table(raw, filename, _column(x), _column(y), str(kind)), options)._replace(
            table=None
        )
    except REFUSALS as refusal:
        return _refusal(file, refusal)


def _column(value: Json) -> int:
    if not isinstance(value, str) or not (value.isascii() and value.isdigit()) or len(value) > 9:
        raise InvalidInstance("COLUMNS", text("columns.missing"))
    return int(value)


def register(app: dash.Dash, run_service: RunService, tours: bool = True) -> None:
    """Connect the uploads (`assets/common/upload.js`) and the columns' dialog; `tours` is whether tours are shown."""

    @app.callback(
        Output(ids.INSTANCE, "options", allow_duplicate=True),
        Output(ids.INSTANCE, "value", allow_duplicate=True),
        Output(ids.TABLE, "data"),
        Output(ids.URL, "search", allow_duplicate=True),
        Output(ids.UPLOAD_NOTE, "children", allow_duplicate=True),
        Output(ids.INSTANCES_UPLOAD_NOTE, "children", allow_duplicate=True),
        Input(ids.FILE, "data"),
        State(ids.INSTANCE, "value"),
        State(ids.INSTANCE, "options"),
    )
    async def handle(file: Json, chosen: Json, options: Json) -> UploadResult:
        return await IMPORTS.run(handle_file, run_service, file, chosen, options, tours)

    @app.callback(
        Output(ids.INSTANCE, "options", allow_duplicate=True),
        Output(ids.INSTANCE, "value", allow_duplicate=True),
        Output(ids.TABLE, "data", allow_duplicate=True),
        Output(ids.TABLE_NOTE, "children"),
        Input(ids.TABLE_USE, "n_clicks"),
        State(ids.FILE, "data"),
        State(ids.TABLE_X, "value"),
        State(ids.TABLE_Y, "value"),
        State(ids.TABLE_KIND, "value"),
        State(ids.INSTANCE, "options"),
    )
    async def use_table(
        _: Json, file: Json, x: Json, y: Json, kind: Json, options: Json
    ) -> tuple[Property, Property, Property, str]:
        result = await IMPORTS.run(handle_table, run_service, file, x, y, kind, options)
        return result.options, result.instance, result.table, result.note
