"""The question that asks visitors to predict the next step, and its switch in the player's row."""

from dash import html

from components.shell import ids
from components.shell.controls import hyphenate_names
from components.shell.texts import common as shared
from components.shell.texts import watch as text
from runs.visitors import current_visitor


def panel() -> html.Div:
    """Return the question, answers beside the map, verdict and score; filled by scripts."""
    answers = [
        html.Button(shared("question.yes.longer"), id=ids.PREDICT_YES, type="button", className="button"),
        html.Button(shared("question.no.longer"), id=ids.PREDICT_NO, type="button", className="button"),
    ]
    side = [
        html.Div(answers, className="predict-choices"),
        html.Span(id=ids.PREDICT_SCORE, className="predict-score"),
        *_ask_class(),
        html.Button(text("predict.skip"), id=ids.PREDICT_SKIP, type="button", className="button quiet"),
        html.Button(text("predict.reset"), id=ids.PREDICT_RESET, type="button", className="button quiet"),
    ]
    return html.Div(
        [
            html.P(id=ids.PREDICT_SENTENCE, **hyphenate_names(aria_live="polite")),
            html.P(id=ids.PREDICT_AT, className="predict-at", **hyphenate_names(aria_live="polite")),
            html.Div(side, className="predict-side"),
        ],
        id=ids.PREDICT,
        className="predict",
        role="group",
        **hyphenate_names(aria_label=text("predict.label")),
    )


def _ask_class() -> list[html.Button]:
    """Return the button with which a shared server's host asks the class."""
    if not current_visitor().is_shared_host:
        return []
    return [html.Button(text("predict.class"), id=ids.PREDICT_CLASS, type="button", className="button predict-class")]


def switch() -> html.Button:
    """Return the switch for predicting steps."""
    return html.Button(
        text("predict.on"), id=ids.PREDICT_ON, type="button", className="button quiet predict-on",
        title=text("predict.title"), disabled=True, **hyphenate_names(aria_pressed="false"),
    )  # fmt: skip
