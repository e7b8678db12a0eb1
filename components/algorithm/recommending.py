"""Recommends an algorithm for the chosen instance and time budget, with the measured reason."""

from dash import ClientsideFunction, Dash, Input, Output, State, html

from components.instances.references import parse_reference
from components.shell import ids
from components.shell.callbacks import in_thread, inputs
from components.shell.controls import live_note, plain_button, switch
from components.shell.facts import format_city_count, localise
from components.shell.numbers import format_fixed, format_short
from components.shell.texts import common as text
from components.types import Json
from data.errors import InvalidInstance
from runs.service import RunService
from solvers import find
from studies.recommendation import Recommendation, recommend

#: Time limit in seconds that is assumed for a run without one.
UNLIMITED = 60.0


def opener() -> html.Button:
    """Return the button that opens and closes `panel`."""
    return html.Button(text("which.ask"), id=ids.WHICH_ASK, type="button", className="link")


def panel() -> html.Div:
    """Return the recommendation, hidden until it is requested."""
    take = plain_button(ids.WHICH_TAKE, text("which.take"), disabled=True)
    proof = switch(ids.WHICH_PROOF, text("which.proof"), value=False)
    return html.Div([live_note(ids.WHICH_SENTENCE), proof, take], id=ids.WHICH, className="which", hidden=True)


def recommend_algorithm(
    run_service: RunService, question: Json, chosen: Json
) -> tuple[list[html.Div], str | None, bool]:
    """Return the recommendation and its reason, the algorithm's name, and whether the form already has it.

    Parameters
    ----------
    run_service : runs.service.RunService
    question : dict
        ``instance`` (value of the menu), ``seconds`` (None for no limit) and ``proof``, from `assets/common/form.js`.
    chosen : str
        The algorithm in the form.
    """
    request = question if isinstance(question, dict) else {}
    try:
        instance = run_service.instance(parse_reference(request.get("instance")))
    except InvalidInstance:
        return [], None, True
    limit, proof = request.get("seconds"), bool(request.get("proof"))
    seconds = limit if isinstance(limit, int | float) and limit > 0 else UNLIMITED
    recommendation = recommend(instance.n, instance.directed, seconds, proof)
    parts: list[str | html.Strong] = [html.Strong(_find_title(recommendation.algorithm)), _explain(recommendation)]
    if proof and not recommendation.proves:
        parts.insert(0, text("which.no-proof", seconds=format_short(seconds)))
    return [html.Div(part) for part in parts], recommendation.algorithm, recommendation.algorithm == chosen


def _explain(recommendation: Recommendation) -> str:
    values = {
        "cities": format_city_count(recommendation.n),
        "seconds": format_short(float(f"{recommendation.seconds:.2g}")),
    }
    if recommendation.proves:
        return text("which.proves", **values)
    reason = text("which.shortest", count=recommendation.instances, gap=format_fixed(recommendation.gap, 2), **values)
    if not recommendation.second:
        return reason
    second = text(
        "which.second", algorithm=_find_title(recommendation.second), gap=format_fixed(recommendation.second_gap, 2)
    )
    return f"{reason} {second}"


def _find_title(algorithm: str) -> str:
    return localise(find(algorithm).title)


def register(app: Dash, run_service: RunService) -> None:
    """Update the recommendation while the panel is open, and put the recommended algorithm into the form."""
    app.clientside_callback(
        ClientsideFunction("form", "ask"),
        Output(ids.WHICH, "hidden"),
        Output(ids.WHICH_QUESTION, "data"),
        Input(ids.WHICH_ASK, "n_clicks"),
        *inputs("value", ids.INSTANCE, ids.SECONDS, ids.WHICH_PROOF, ids.ALGORITHM),
    )
    app.callback(
        Output(ids.WHICH_SENTENCE, "children"),
        Output(ids.WHICH_ANSWER, "data"),
        Output(ids.WHICH_TAKE, "disabled"),
        Input(ids.WHICH_QUESTION, "data"),
        State(ids.ALGORITHM, "value"),
    )(in_thread(recommend_algorithm, run_service))
    app.clientside_callback(
        ClientsideFunction("form", "take"),
        Output(ids.ALGORITHM, "value", allow_duplicate=True),
        Input(ids.WHICH_TAKE, "n_clicks"),
        State(ids.WHICH_ANSWER, "data"),
    )
