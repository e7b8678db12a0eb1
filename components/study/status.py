"""The progress of the open study in words and as a bar, and its commands; polled while the study is running."""

import asyncio
from typing import Any, NamedTuple

import dash
from dash import Input, Output, State, ctx, dcc, html, no_update

from components.shell import text
from components.shell.controls import attributes, button, live_note
from components.study import ids
from components.study.address import open_study
from components.study.ids import store
from components.study.matrix import listing
from components.study.setup import REFUSED, span
from runs.study_jobs.service import StudyStatus

#: Milliseconds between two polls of a running study.
_EVERY = 1000


class Told(NamedTuple):
    """What the page shows of a study's state; an empty one changes nothing."""

    heading: Any = no_update
    state: Any = no_update
    progress: Any = no_update
    most: Any = no_update
    style: Any = no_update
    matrix: Any = no_update
    matrix_note: Any = no_update
    shown: Any = no_update
    rests: Any = no_update


def panel() -> html.Div:
    """Title, state and buttons; hidden while no study is open."""
    bar = html.Progress(id=ids.PROGRESS, value="0", max="1", **attributes(aria_label="Runs done"))
    return html.Div(
        [
            html.H1(id=ids.HEADING),
            html.Div(
                [
                    button(ids.CANCEL, "Cancel: finished runs stay", "stop", text="Cancel", style="danger"),
                    button(ids.RESUME, "Resume this study", "play", text="Resume", style="primary"),
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


def sentence(standing: StudyStatus) -> str:
    """The progress of a study, in words."""
    total, done = text.grouped(standing.total), standing.finished + standing.failed
    told = f"{text.grouped(done)} of {total} runs done"
    failed = f", {text.grouped(standing.failed)} of them failed" if standing.failed else ""
    if standing.state == "finished":
        again = " Resume tries these again." if standing.failed else ""
        return f"All {total} runs are done{failed}.{again}"
    if standing.state == "queued":
        return f"Waits for {standing.before} other {'study' if standing.before == 1 else 'studies'}; {told}{failed}."
    if standing.state == "stopped":
        return f"Stopped: {told}{failed}. Resume continues where it stopped."
    if standing.state == "elsewhere":
        return f"Another process works on it: {told}{failed}."
    if standing.state == "broken":
        return f"{standing.sentence} {told}{failed}."
    progress = standing.progress
    if progress is None:
        return f"Detecting GPUs; {told}{failed}."
    if progress.state == "cancelled":
        return f"Cancelling; {told}{failed}."
    now = f", {len(progress.running)} under way" if progress.running else ""
    left = "" if progress.seconds_left is None else f", about {span(progress.seconds_left)} left"
    return f"{told}{failed}{now}{left}."


def style(standing: StudyStatus) -> str:
    """The classes of the results, by which the style sheet shows the available buttons."""
    can = "can-cancel" if standing.state in ("queued", "starting", "running") else ""
    undone = standing.state in ("stopped", "broken") or (standing.state == "finished" and standing.failed)
    return " ".join(part for part in ("panel studies-results", can, "can-resume" if undone else "") if part)


def tell(studies, stored: Any, shown: Any) -> Told:
    """What the page shows of the open study.

    Parameters
    ----------
    studies : runs.study_jobs.service.StudyService
    stored, shown : dict or None
        The stores `studies_ids.OPEN` and `studies_ids.SHOWN`.
    """
    study = open_study(stored)
    if study is None:
        return Told(style="panel studies-results none", rests=True)
    try:
        standing, seen = studies.status(study), studies.snapshot(study)
    except REFUSED as refusal:
        return Told(
            heading="", state=str(refusal), style="panel studies-results unread", matrix=None, matrix_note="",
            shown=no_update if shown is None else None, rests=False,  # the file may be readable again in a moment
        )  # fmt: skip
    now = {"study": study, "version": seen.version}
    rows, note = listing(seen)
    done = standing.finished + standing.failed
    # A study that is not running may be shown before its version is known: see `assets/studies.js`.
    same = shown == now or (shown == {"study": study, "version": ""} and not standing.active)
    return Told(
        heading=standing.title or standing.path.stem,
        state=sentence(standing),
        progress=str(done),
        most=str(standing.total),
        style=style(standing),
        matrix=rows,
        matrix_note=note,
        shown=no_update if same else now,
        rests=not standing.active and done == seen.table.runs.length.size + sum(count for _, count in seen.failed),
    )


def command(studies, stored: Any, pressed: Any) -> str:
    """Send a button's command to the open study; returns the error message, or an empty text."""
    study = open_study(stored)
    commands = {ids.CANCEL: studies.cancel, ids.RESUME: studies.resume}
    if study is None or pressed not in commands:
        return ""
    try:
        commands[pressed](study)
    except REFUSED as refusal:
        return str(refusal)
    return ""


def register(app: dash.Dash, studies) -> None:
    """Poll the progress of the open study, and send commands."""

    @app.callback(
        Output(ids.HEADING, "children"),
        Output(ids.STATE, "children"),
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
    async def watch(stored, _polls, _commanded, shown):
        return await asyncio.to_thread(tell, studies, stored, shown)

    @app.callback(
        Output(ids.COMMAND_NOTE, "children"),
        Input(ids.CANCEL, "n_clicks"),
        Input(ids.RESUME, "n_clicks"),
        State(ids.OPEN, "data"),
    )
    async def tell_study(_cancel, _resume, stored):
        return await asyncio.to_thread(command, studies, stored, ctx.triggered_id)
