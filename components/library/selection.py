"""The actions for the selected entries, and the note with "Undo" that follows an action."""

import dash_bootstrap_components as dbc
from dash import html

from components.library import ids
from components.shell.controls import attributes, button, live_note


def bar() -> html.Section:
    """The bar, which `assets/library/selection.js` shows while something is selected."""
    commands = html.Div(
        [
            button(ids.COMPARE_BUTTON, "Compare", "curves", text="Compare", style="primary"),
            button(ids.TAG_BUTTON, "Add tags, or take them away", "tag", text="Tag"),
            button(ids.SAVE_BUTTON, "The selected lines as CSV", "save", text="Export CSV"),
            button(ids.DELETE_BUTTON, "Delete; it can be undone", "bin", text="Delete", style="quiet danger"),
            button(ids.NONE_BUTTON, "Select nothing", "close", style="quiet round"),
        ],
        className="library-commands",
    )
    picked = html.Div(
        [
            html.Span(id=ids.PICKED, **attributes(aria_live="polite")),
            html.Button(id=ids.ALL_OF_THEM, type="button", className="link", hidden=True),
        ],
        className="library-picked",
    )
    why = live_note(ids.WHY)
    return html.Section(
        [html.Div([picked, commands], className="library-bar-row"), why, _tagging()],
        id=ids.BAR,
        className="library-bar",
        hidden=True,
        **attributes(aria_label="What is selected"),
    )


def _tagging() -> html.Div:
    field = dbc.Input(
        id=ids.TAG_FIELD, type="text", placeholder="A tag", maxlength=32, autocomplete="off",
        list=ids.TAGS_KNOWN, class_name="library-tag-field",
    )  # fmt: skip
    return html.Div(
        [
            html.Label("Add a tag to what is selected", htmlFor=ids.TAG_FIELD, className="field-label"),
            field,
            html.Datalist(id=ids.TAGS_KNOWN),
            button(ids.TAG_ADD, "Add the tag", "check", text="Add"),
            html.Div(id=ids.TAGS_HERE, className="library-tags-here"),
        ],
        id=ids.TAGGING,
        className="library-tagging",
        hidden=True,
    )


def toast() -> html.Div:
    """The note that reports an action, with the button that undoes it."""
    return html.Div(id=ids.TOAST, className="library-toast", role="status", hidden=True)
