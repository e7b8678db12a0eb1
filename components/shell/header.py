"""The header: name, pages, device, language, how algorithms work, and theme."""

from dash import ClientsideFunction, Dash, Input, Output, html
from dash.development.base_component import Component

from components.algorithm.devices import chip_text, known_devices, memory_text
from components.shell import ids
from components.shell.controls import button, hyphenate_names, icon
from components.shell.paths import CLASS, PAGES
from components.shell.texts import common as text
from components.types import Json, JsonObject
from runs.language import LANGUAGES, current_language, use_language
from runs.visitors import current_visitor


def bar(status: JsonObject, base_path: str, page: str, menu: Component) -> html.Header:
    """Return the header of one of the `PAGES`, with its menu of recent entries."""
    return html.Header(
        [
            html.Div([html.Span(className="mark"), html.Span(["Tour", html.B("Scope")])], className="brand"),
            html.Nav(
                [_link(name, base_path, name == page) for name in PAGES],
                **hyphenate_names(aria_label=text("header.pages")),
            ),
            menu,
            _devices(status),
            html.Span(id="kernels", className="kernels-note", title=text("kernels.title"), hidden=True),
            _languages(),
            *_class_link(base_path),
            *_lead(page),
            button("how-help", text("header.how"), "help", style="quiet round"),
            button(ids.THEME_TOGGLE, text("header.theme"), "theme", style="quiet round"),
        ],
        className="bar",
    )


def _devices(status: JsonObject) -> Component:
    """Return the devices; on a cluster, a click on them opens the list of nodes."""
    if status.get("nodes") is None:
        return html.Div(chip(status), id=ids.DEVICE_CHIP, className="chip")
    summary = html.Summary(chip(status), id=ids.DEVICE_CHIP, className="chip", title=text("device.nodes.title"))
    return html.Details([summary, html.Div(id="nodes-list", className="menu")], id="nodes", className="recent")


def _link(name: str, base_path: str, is_current: bool) -> html.A:
    attrs = {"className": "on", **hyphenate_names(aria_current="page")} if is_current else {}
    return html.A(text(f"page.{name}"), href=base_path + PAGES[name], **attrs)


def _class_link(base_path: str) -> list[html.A]:
    """Return a shared server's link: to the join page for the host, to all runs for visitors; else no link."""
    viewer = current_visitor()
    if not viewer.id:
        return []
    label, picture, place = (
        (text("header.class"), "qr", CLASS) if viewer.host else (text("header.runs"), "ranks", f"{CLASS}runs")
    )
    names = hyphenate_names(aria_label=label)
    return [html.A(icon(picture), href=f"{base_path}{place}", className="button quiet round", title=label, **names)]


def _lead(page: str) -> list[html.Button]:
    """Return the button for a shared server's host to lead a lecture, on pages that support it."""
    if page not in ("watch", "race") or not current_visitor().is_shared_host:
        return []
    label = text("header.lead")
    names = hyphenate_names(aria_label=label, aria_pressed="false")
    return [html.Button(icon("lead"), id="lead", type="button", className="button quiet round", title=label, **names)]


def _languages() -> html.Div:
    """Return links to this page in each language, completed by `assets/common/language/choice.js`."""
    links = [_language_name(name, name == current_language()) for name in LANGUAGES]
    return html.Div(links, className="languages", role="group", **hyphenate_names(aria_label=text("header.languages")))


def _language_name(name: str, is_current: bool) -> html.A:
    with use_language(name):
        title = text("language.name")
    attrs = {"className": "on", **hyphenate_names(aria_current="true")} if is_current else {}
    return html.A(name.upper(), href=f"?lang={name}", hrefLang=name, lang=name, title=title, **attrs)


def chip(status: Json) -> list:
    """Return this machine's devices, with the GPUs' memory and a light that shows whether the devices are known."""
    known = known_devices(status) is not None
    return [
        html.I(className="dot" if known else "dot waiting"),
        html.Span(chip_text(status), title=memory_text(status) or None),
    ]


def register(app: Dash) -> None:
    """Connect the header's parts on every page: device and theme."""

    @app.callback(Output(ids.DEVICE_CHIP, "children"), Input(ids.STATUS, "data"))
    def update_devices(status: Json) -> list:
        return chip(status)

    app.clientside_callback(
        ClientsideFunction("theme", "toggle"), Output(ids.THEME, "data"), Input(ids.THEME_TOGGLE, "n_clicks")
    )
    app.clientside_callback(ClientsideFunction("theme", "show"), Input(ids.THEME, "data"), prevent_initial_call=False)
