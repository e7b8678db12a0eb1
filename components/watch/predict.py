"""The question that asks visitors to predict the next step, and its switch in the player's row."""

from dash import html

from components.shell.controls import hyphenate_names, plain_button
from components.shell.texts import common as shared
from components.shell.texts import watch as text
from runs.visitors import current_visitor


def panel() -> html.Div:
    """Return the question, answers beside the map, verdict and score; filled by scripts."""
    answers = [
        plain_button("predict-yes", shared("question.yes.longer")),
        plain_button("predict-no", shared("question.no.longer")),
    ]
    side = [
        html.Div(answers, className="predict-choices"),
        html.Span(id="predict-score", className="predict-score"),
        *_ask_class(),
        plain_button("predict-skip", text("predict.skip"), "quiet"),
        plain_button("predict-reset", text("predict.reset"), "quiet"),
    ]
    return html.Div(
        [
            html.P(id="predict-sentence", **hyphenate_names(aria_live="polite")),
            html.P(id="predict-at", className="predict-at", **hyphenate_names(aria_live="polite")),
            html.Div(side, className="predict-side"),
        ],
        id="predict",
        className="predict",
        role="group",
        **hyphenate_names(aria_label=text("predict.label")),
    )


def _ask_class() -> list[html.Button]:
    """Return the button with which a shared server's host asks the class."""
    if not current_visitor().is_shared_host:
        return []
    return [plain_button("predict-class", text("predict.class"), "predict-class")]


def switch() -> html.Button:
    """Return the switch for predicting steps."""
    more = {"title": text("predict.title"), "disabled": True, "aria_pressed": "false"}
    return plain_button("predict-on", text("predict.on"), "quiet predict-on", **more)
