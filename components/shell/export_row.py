"""A page's menu of downloads, grouped by kind; disabled until there is something to save."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from dash import ClientsideFunction, Dash, Input, Output, html

from components.shell.callbacks import inputs
from components.shell.controls import hyphenate_names, icon, plain_button
from components.shell.start_button import panel_switch
from components.shell.texts import common

#: Widths of pictures and of animations in pixels; the first of each kind is the most common choice.
WIDTHS, GIF_WIDTHS = (1920, 1280, 3840), (960, 640, 1280)
#: Sheets for a pen plotter, as in `exports.drawing.plotter`.
PAPERS = ("a4", "a3")


def picture_menu(gif: bool = True, paper: bool = False) -> html.Details:
    """Return saved pictures' size and theme, which `assets/common/saving/pictures.js` stores in the browser.

    Parameters
    ----------
    gif : bool
        Whether animations can be saved.
    paper : bool
        Whether drawings for a pen plotter can be saved.
    """
    widths = [(str(width), common("picture.pixels", width=width)) for width in WIDTHS[:-1]]
    widths += [(str(WIDTHS[-1]), common("picture.print", width=WIDTHS[-1])), ("", common("picture.screen"))]
    menus = [_select("width", common("picture.still"), widths)]
    if gif:
        sizes = [(str(width), common("picture.pixels", width=width)) for width in GIF_WIDTHS]
        menus.append(_select("gif", common("picture.gif"), sizes))
    if paper:
        menus.append(_select("paper", common("picture.paper"), [(name, name.upper()) for name in PAPERS]))
    themes = [(name, common(f"picture.theme.{name}")) for name in ("page", "light", "dark")]
    menus.append(_select("theme", common("picture.theme"), themes))
    return html.Details([html.Summary(common("picture.options")), *menus], className="picture-menu")


def _select(name: str, label: str, options: list[tuple[str, str]]) -> html.Label:
    """Return a native menu of the browser, which needs no callback."""
    choices = [html.Option(words, value=value) for value, words in options]
    return html.Label(
        [html.Span(label), html.Select(choices, className="form-select", **hyphenate_names(data_picture=name))]
    )


class ExportMenu(NamedTuple):
    """Describes a page's menu.

    Attributes
    ----------
    read : callable
        Reads the page's texts: ``save.…`` and ``save.….title`` of each button.
    groups : mapping of str to tuple of str
        Ids of the buttons, by the names of the texts ``save.group.…``.
    store : str
        Id of the store with what can be saved.
    paper : bool
        Whether drawings for a pen plotter can be saved.
    """

    read: Callable[..., str]
    groups: Mapping[str, tuple[str, ...]]
    store: str
    paper: bool = False

    def panel(self) -> html.Div:
        """Return the menu with disabled buttons, pictures' size and theme, and buttons to present the view."""
        rows = [_group(name, [self._save(button_id) for button_id in kinds]) for name, kinds in self.groups.items()]
        summary = html.Summary([icon("download"), html.Span(common("save.label"))], className="button")
        sheet = html.Div([*rows, picture_menu(paper=self.paper)], className="save-sheet")
        sentence = html.Span(id="copy-link-sentence", className="copied", **hyphenate_names(aria_live="polite"))
        menu = html.Details([summary, sheet], id="save-menu", className="save-menu")
        return html.Div([menu, *_presenting(), panel_switch(), sentence], className="save-row")

    def _save(self, button_id: str) -> html.Button:
        label, title = self.read(f"save.{button_id[5:]}"), self.read(f"save.{button_id[5:]}.title")
        return html.Button(label, id=button_id, type="button", title=title, disabled=True, className="save")

    def register(self, app: Dash) -> None:
        """Connect the buttons to the scripts."""
        button_ids = [button_id for kinds in self.groups.values() for button_id in kinds]
        disabled = [Output(button_id, "disabled") for button_id in button_ids]
        app.clientside_callback(ClientsideFunction("save", "wait"), *disabled, Input(self.store, "data"))
        app.clientside_callback(ClientsideFunction("save", "press"), *inputs("n_clicks", *button_ids))


def _group(name: str, buttons: list[html.Button]) -> html.Div:
    """Return buttons beside their group's name."""
    label = common(f"save.group.{name}")
    word = html.Span(label, className="save-group", **hyphenate_names(aria_hidden="true"))
    return html.Div([word, html.Div(buttons, className="saves")], role="group", **hyphenate_names(aria_label=label))


def _presenting() -> list[html.Button]:
    """Return buttons to present the view and to copy a link to it (`assets/common/present/present.js`)."""
    buttons = (
        ("present", common("present.present"), common("present.present.title")),
        ("copy-link", common("present.link"), common("present.link.title")),
    )
    return [plain_button(button, name, title=title) for button, name, title in buttons]
