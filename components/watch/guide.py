"""The guide for the first minute: a line above the tour with the next step, and finally further links."""

from dash import html

from components.shell.controls import button, hyphenate_names
from components.shell.texts import watch as text

#: Steps of the guide in order; `assets/watch/guide/guide.js` decides when each is done.
MARKS = ("what", "start", "drag", "change")


def panel() -> html.Section:
    """Return the guide, which the style sheet shows until it is dismissed in this browser."""
    draw = html.Button(text("guide.draw"), type="button", className="link guide-draw", **hyphenate_names(data_draw=""))
    marks = [
        html.Li(
            [html.B(text(f"guide.{mark}")), html.Span(text(f"guide.{mark}.how")), *([draw] if mark == "what" else [])],
            **hyphenate_names(data_mark=mark),
        )
        for mark in MARKS
    ]
    lesson = html.A(text("guide.learn"), href="#lesson=first-minute&step=1", className="link")
    marks.append(html.Li([html.B(text("guide.now")), lesson]))
    close = button("guide-close", text("guide.close"), "close", style="quiet guide-close")
    return html.Section(
        [html.Ol(marks), close], id="guide", className="guide", **hyphenate_names(aria_label=text("guide.label"))
    )
