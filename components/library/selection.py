"""Actions on selected entries, and the note with "Undo" after them."""

import dash_bootstrap_components as dbc
from dash import html

from components.library import ids
from components.shell.controls import button, hyphenate_names, live_note
from components.shell.texts import library as text


def bar() -> html.Section:
    """Return the bar, which `assets/library/selection.js` shows while entries are selected."""
    commands = html.Div(
        [
            button("library-compare-button", text("bar.compare"), "curves", text=text("bar.compare"), style="primary"),
            button("library-tag-button", text("bar.tag.title"), "tag", text=text("bar.tag")),
            button("library-save-button", text("bar.export.title"), "save", text=text("bar.export")),
            button(
                "library-delete-button", text("bar.delete.title"), "bin", text=text("bar.delete"), style="quiet danger"
            ),
            button("library-none-button", text("bar.none"), "close", style="quiet round"),
        ],
        className="library-commands",
    )
    picked = html.Div(
        [
            html.Span(id="library-picked", **hyphenate_names(aria_live="polite")),
            html.Button(id="library-all-of-them", type="button", className="link", hidden=True),
        ],
        className="library-picked",
    )
    explanation = live_note("library-why")
    return html.Section(
        [html.Div([picked, commands], className="library-bar-row"), explanation, _tagging()],
        id="library-bar",
        className="library-bar",
        hidden=True,
        **hyphenate_names(aria_label=text("bar.label")),
    )


def _tagging() -> html.Div:
    field = dbc.Input(
        id=ids.TAG_FIELD, type="text", placeholder=text("tag.field"), maxlength=32, autocomplete="off",
        list=ids.TAGS_KNOWN, class_name="library-tag-field",
    )  # fmt: skip
    return html.Div(
        [
            html.Label(text("tag.label"), htmlFor=ids.TAG_FIELD, className="field-label"),
            field,
            html.Datalist(id=ids.TAGS_KNOWN),
            button("library-tag-add", text("tag.add.title"), "check", text=text("tag.add")),
            html.Div(id="library-tags-here", className="library-tags-here"),
        ],
        id="library-tagging",
        className="library-tagging",
        hidden=True,
    )


def toast() -> html.Div:
    """Return the message that reports an action, with its undo button."""
    return html.Div(id="library-toast", className="library-toast", role="status", hidden=True)
