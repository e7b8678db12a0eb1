"""A page's menu of downloads, grouped by kind; disabled until there is something to save."""

from collections.abc import Mapping, Sequence

from dash import ClientsideFunction, Dash, Input, Output, html
from dash.development.base_component import Component

from components.shell import ids
from components.shell.controls import hyphenate_names, icon, plain_button
from components.shell.texts import common

#: Id, text and title of a button.
Kind = tuple[str, str, str]
#: Groups of buttons in the order of the page: names of the texts ``save.group.…``, and their buttons.
Groups = Mapping[str, Sequence[Kind]]


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


def row(groups: Groups, *more: Component, paper: bool = False) -> html.Div:
    """Return the menu with disabled buttons, pictures' size and theme, and buttons to present the view."""
    rows = [_group(name, [_save(*kind) for kind in kinds]) for name, kinds in groups.items()]
    summary = html.Summary([icon("download"), html.Span(common("save.label"))], className="button")
    sheet = html.Div([*rows, picture_menu(paper=paper)], className="save-sheet")
    sentence = html.Span(id=ids.COPY_LINK_SENTENCE, className="copied", **hyphenate_names(aria_live="polite"))
    menu = html.Details([summary, sheet], id=ids.SAVE_MENU, className="save-menu")
    return html.Div([menu, *_presenting(), *more, sentence], className="save-row")


def _group(name: str, buttons: list[html.Button]) -> html.Div:
    """Return buttons beside their group's name."""
    label = common(f"save.group.{name}")
    word = html.Span(label, className="save-group", **hyphenate_names(aria_hidden="true"))
    return html.Div([word, html.Div(buttons, className="saves")], role="group", **hyphenate_names(aria_label=label))


def _save(button_id: str, text: str, title: str) -> html.Button:
    return html.Button(text, id=button_id, type="button", title=title, disabled=True, className="save")


def _presenting() -> list[html.Button]:
    """Return buttons to present the view and to copy a link to it (`assets/common/present/present.js`)."""
    buttons = (
        (ids.PRESENT, common("present.present"), common("present.present.title")),
        (ids.COPY_LINK, common("present.link"), common("present.link.title")),
    )
    return [plain_button(button, name, title=title) for button, name, title in buttons]


def register(app: Dash, groups: Groups, scripts: str, wait: str, store: str) -> None:
    """Connect the buttons to the scripts.

    Parameters
    ----------
    app : dash.Dash
    groups : Groups
    scripts : str
        The page's namespace of entry points: `wait` returns the disabled state of the buttons, ``save`` saves.
    wait, store : str
        Name of the first entry point, and id of the store that it takes.
    """
    button_ids = [button_id for kinds in groups.values() for button_id, _, _ in kinds]
    app.clientside_callback(
        ClientsideFunction(scripts, wait),
        *(Output(button_id, "disabled") for button_id in button_ids),
        Input(store, "data"),
    )
    app.clientside_callback(
        ClientsideFunction(scripts, "save"), *(Input(button_id, "n_clicks") for button_id in button_ids)
    )
