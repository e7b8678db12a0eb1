"""The open study's progress, in words and as a bar, with commands; polled while it runs."""

import asyncio
from typing import NamedTuple

from dash import Dash, Input, NoUpdate, Output, State, ctx, dcc, html, no_update

from components.shell.callbacks import inputs, outputs
from components.shell.controls import button, hyphenate_names, live_note
from components.shell.errors import REFUSALS, describe_refusal
from components.shell.numbers import format_span
from components.shell.texts import study as text
from components.study import ids
from components.study.address import find_open_study
from components.study.ids import store
from components.study.matrix import build_matrix
from components.types import Json, JsonObject
from runs.bounded_pool import CONTROLS
from runs.study_jobs.service import StudyService, StudyStatus
from runs.translation import translate_part

#: Milliseconds between two polls of a running study.
_EVERY = 1000


class StatusView(NamedTuple):
    """Outputs that show a study's state; unset fields change nothing."""

    heading: str | NoUpdate = no_update
    state: str | NoUpdate = no_update
    live: str | NoUpdate = no_update  # whether screen readers announce the state, but not each second's counts
    progress: str | NoUpdate = no_update
    total_text: str | NoUpdate = no_update
    style: str | NoUpdate = no_update
    matrix: JsonObject | NoUpdate | None = no_update
    matrix_note: str | NoUpdate = no_update
    shown: JsonObject | NoUpdate | None = no_update
    poll_disabled: bool | NoUpdate = no_update


def panel() -> html.Div:
    """Return title, state and buttons, hidden while no study is open."""
    bar = html.Progress(id=ids.PROGRESS, value="0", max="1", **hyphenate_names(aria_label=text("status.progress")))
    return html.Div(
        [
            html.H1(id=ids.HEADING),
            html.Div(
                [
                    button(ids.CANCEL, text("status.cancel-help"), "stop", text=text("status.cancel"), style="danger"),
                    button(ids.RESUME, text("status.resume-help"), "play", text=text("status.resume"), style="primary"),
                ],
                className="studies-commands",
            ),
            live_note(ids.STATE),
            bar,
            live_note(ids.COMMAND_NOTE, style="refusal"),
            dcc.Interval(id=ids.POLL, interval=_EVERY, disabled=True),
        ],
        className="studies-head",
    )


def describe_progress(status: StudyStatus) -> str:
    """Describe a study's progress in one sentence."""
    counts = {"done": status.finished + status.failed, "total": status.total, "failed": status.failed}
    if status.state == "finished":
        return text("state.finished-failed" if status.failed else "state.finished", **counts)
    done = text("state.done-failed" if status.failed else "state.done", **counts)
    if status.state in ("queued", "stopped", "elsewhere", "broken"):
        values = {"runs": done, "count": status.before, "sentence": status.sentence}
        return text(f"state.{status.state}", **values)
    progress = status.progress
    if progress is None:
        return text("state.starting", runs=done)
    if progress.state == "cancelled":
        return text("state.cancelling", runs=done)
    now = len(progress.running)
    if progress.seconds_left is None:
        return text("state.running" if counts["done"] else "state.running-first", runs=done, now=now)
    return text("state.running-left", runs=done, now=now, left=format_span(progress.seconds_left))


def style(status: StudyStatus, own: bool = True) -> str:
    """Return the results' CSS classes, by which the style sheet shows the buttons; none in other people's studies."""
    can = "can-cancel" if status.state in ("queued", "starting", "running") else ""
    undone = status.state in ("stopped", "broken") or (status.state == "finished" and status.failed)
    others = "" if own else "others"
    return " ".join(part for part in ("panel studies-results", can, "can-resume" if undone else "", others) if part)


def build_view(studies: StudyService, stored: Json, shown: Json) -> StatusView:
    """Return the view of the open study.

    Parameters
    ----------
    studies : runs.study_jobs.service.StudyService
    stored, shown : dict or None
        Data of the stores `ids.OPEN` and `ids.SHOWN`.
    """
    study = find_open_study(stored)
    if study is None:
        return StatusView(style="panel studies-results none", poll_disabled=True)
    try:
        status, snapshot = studies.status(study), studies.snapshot(study)
    except REFUSALS as refusal:
        return StatusView(
            heading="", state=describe_refusal(refusal), live="polite", style="panel studies-results unread",
            matrix=None,
            matrix_note="", shown=no_update if shown is None else None, poll_disabled=False,  # it may become readable
        )  # fmt: skip
    own = studies.may_change(study)
    now: JsonObject = {"study": study, "version": snapshot.version}
    rows, note = build_matrix(snapshot)
    done = status.finished + status.failed
    # A study that is not running may be shown before its version is known; see `assets/study/main.js`.
    same = shown == now or (shown == {"study": study, "version": ""} and not status.active)
    in_snapshot = snapshot.ended
    return StatusView(
        heading=translate_part(status.title),
        state=describe_progress(status)
        if own or not status.active
        else f"{describe_progress(status)} {text('state.others')}",
        live="off" if status.state == "running" else "polite",
        progress=str(done),
        total_text=str(status.total),
        style=style(status, own),
        matrix=rows,
        matrix_note=note,
        shown=no_update if same else now,
        poll_disabled=not status.active and done == in_snapshot,
    )


def send_command(studies: StudyService, stored: Json, pressed: Json) -> str:
    """Send a button's command to the open study; return the error message, if any."""
    study = find_open_study(stored)
    commands = {ids.CANCEL: studies.cancel, ids.RESUME: studies.resume}
    if study is None or not isinstance(pressed, str) or pressed not in commands:
        return ""
    try:
        commands[pressed](study)
    except REFUSALS as refusal:
        return describe_refusal(refusal)
    return ""


def register(app: Dash, studies: StudyService) -> None:
    """Poll the open study's progress, and send commands."""

    @app.callback(
        *outputs("children", ids.HEADING, ids.STATE),
        Output(ids.STATE, "aria-live"),
        Output(ids.PROGRESS, "value"),
        Output(ids.PROGRESS, "max"),
        Output(ids.RESULTS, "className"),
        Output(store(ids.MATRIX), "data"),
        Output(ids.MATRIX_NOTE, "children"),
        Output(ids.SHOWN, "data"),
        Output(ids.POLL, "disabled"),
        Input(ids.OPEN, "data"),
        Input(ids.POLL, "n_intervals"),
        Input(ids.COMMAND_NOTE, "children"),
        State(ids.SHOWN, "data"),
    )
    async def watch(stored: Json, _polls: Json, _commanded: Json, shown: Json) -> StatusView:
        return await asyncio.to_thread(build_view, studies, stored, shown)

    @app.callback(
        Output(ids.COMMAND_NOTE, "children"),
        *inputs("n_clicks", ids.CANCEL, ids.RESUME),
        State(ids.OPEN, "data"),
    )
    async def send(_cancel: Json, _resume: Json, stored: Json) -> str:
        return await CONTROLS.run(send_command, studies, stored, ctx.triggered_id)
