"""The address bar of the study page: its query fills the setup, and opens the study that it names."""

import json
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import dash
from dash import Input, Output, State, no_update

from components.instances.picker import instance_option, is_listed, with_option
from components.instances.references import menu_value
from components.shell import ids
from components.shell.callbacks import in_thread, named_in
from components.shell.errors import REFUSALS
from components.shell.start import keep_disabled
from components.study import ids as study_ids
from data import plain_json
from data.errors import InvalidInstance
from runs.study_jobs.folders import NoSuchStudy
from solvers.errors import InvalidParams
from studies.errors import InvalidStudy
from studies.spec.matrix import prepared
from studies.spec.spec import StudySpec

#: Most characters of a study in an address.
_MOST_TEXT = 16_000
_LIMITS = ("seconds", "iterations")


class Filled(NamedTuple):
    """What an address changes; an empty address changes nothing."""

    options: Any = no_update
    instances: Any = no_update
    entries: Any = no_update
    seeds: Any = no_update
    first: Any = no_update
    limit: Any = no_update
    amount: Any = no_update
    device: Any = no_update
    threads: Any = no_update
    title: Any = no_update
    open: Any = no_update
    note: Any = no_update


def address(spec: StudySpec, study: str | None = None) -> str:
    """The query of the address bar for a study; one that is too long for an address is named by its id alone."""
    text = json.dumps(spec.to_json(), separators=(",", ":"))
    query = urlencode({"study": text}) if len(text) <= _MOST_TEXT else ""
    return "?" + "&".join(part for part in (query, f"id={study}" if study else "") if part)


def spec_of(query: dict[str, str]) -> StudySpec:
    """The study that a link contains.

    Raises
    ------
    InvalidParams, InvalidInstance, DeviceUnavailable
    """
    text = query.get("study", "")
    try:
        value = plain_json.loads(text[:_MOST_TEXT])
    except ValueError:
        raise InvalidParams("study", text, "a study as JSON") from None
    spec = StudySpec.from_json(value)
    prepared(spec)
    return spec


def open_study(stored: Any) -> str | None:
    """The id of the study that is open, out of its store, or None."""
    return named_in(stored, "study")


def read(studies, search: Any, stored: Any, options: list[dict[str, Any]]) -> Filled:
    """What the page shows for an address.

    Parameters
    ----------
    studies : runs.study_jobs.service.StudyService
    search : str
        The address's query, with its question mark.
    stored : dict or None
        The study that the page shows already: an address that names it changes nothing.
    options : list of dict
        Options of the instance menu.
    """
    if not isinstance(search, str) or len(search) < 2:
        return Filled(open=None) if open_study(stored) else Filled()
    try:
        query = dict(parse_qsl(search[1:], max_num_fields=8))
        study = query.get("id")
        if study and study == open_study(stored):
            return Filled()
        return _opened(studies, study, query, options)
    except (*REFUSALS, NoSuchStudy, ValueError) as refusal:
        return Filled(note=f"This link cannot be used: {refusal}")


def _opened(studies, study: str | None, query: dict[str, str], options: list[dict[str, Any]]) -> Filled:
    """The study of that id if this server has it, else the setup that the link contains."""
    if study is None:
        return fill(studies.run_service, spec_of(query), options)
    try:
        snapshot = studies.snapshot(study)
    except NoSuchStudy:
        if "study" not in query:
            raise
        filled = fill(studies.run_service, spec_of(query), options)
        return filled._replace(note="The study of this link is not on this server; press Start to run it again.")
    except InvalidStudy:  # the results panel shows why, and polls: the file may become readable
        return Filled(open={"study": study}, note="")
    return fill(studies.run_service, snapshot.spec, options)._replace(open={"study": study})


def fill(run_service, spec: StudySpec, options: list[dict[str, Any]]) -> Filled:
    """The setup's values for a study; the note names settings that the form has no field for."""
    value = spec.to_json()
    chosen, missing, more = [], [], options
    for reference in spec.instances:
        name = menu_value(reference)
        if not is_listed(more, name):
            try:
                option = instance_option(reference, run_service.instance(reference))
                more = with_option(more, {**option, "label": option["search"].rpartition(" ")[0]})
            except InvalidInstance:
                missing.append(reference)
                continue
        chosen.append(name)
    limit = next((name for name in _LIMITS if name in value["budget"]), None)
    return Filled(
        options=more if more is not options else no_update,
        instances=chosen,
        entries=value["entries"],
        seeds=spec.seeds.count,
        first=spec.seeds.first,
        limit=limit or no_update,
        amount=value["budget"][limit] if limit else no_update,
        device=spec.device,
        threads=spec.threads,
        title=spec.title,
        note=_left_out(len(missing), [name for name in value["budget"] if name != limit]),
    )


def _left_out(instances: int, limits: list[str]) -> str:
    left = [f"{instances} instance{'s' if instances > 1 else ''} that this server does not have"] if instances else []
    left += [f"the limit of {name.replace('_', ' ')}" for name in limits]
    return f"The setup leaves out {' and '.join(left)}." if left else ""


def register(app: dash.Dash, studies) -> None:
    """Connect the address bar."""
    shared = (
        (study_ids.ENTRIES, "data"),
        (study_ids.SEEDS, "value"),
        (study_ids.FIRST_SEED, "value"),
        (study_ids.LIMIT, "value"),
        (study_ids.AMOUNT, "value"),
        (ids.DEVICE, "value"),
        (study_ids.THREADS, "value"),
        (study_ids.TITLE, "value"),
        (study_ids.OPEN, "data"),
        (study_ids.NOTE, "children"),
    )

    app.callback(
        Output(study_ids.INSTANCES, "options"),
        Output(study_ids.INSTANCES, "value"),
        *(Output(*each, allow_duplicate=True) for each in shared),
        Input(ids.URL, "search"),
        State(study_ids.OPEN, "data"),
        State(study_ids.INSTANCES, "options"),
        running=keep_disabled(study_ids.START),
        prevent_initial_call="initial_duplicate",
    )(in_thread(read, studies))
