"""HTML around the table of all runs, which a script fills."""

from html import escape
from pathlib import Path

from components.classroom import ids
from components.document.plain_page import plain_page
from components.shell.paths import CLASS
from components.shell.texts import classroom as text
from runs.nicknames import MAX_LENGTH

_NAME = """            <form id="{form}" class="class-tools">
                <label for="{name}">{label}</label>
                <input id="{name}" value="{value}" maxlength="{longest}" autocomplete="nickname" spellcheck="false">
                <button class="button">{save}</button>
                <span id="{sentence}" role="status" data-saved="{saved}" data-removed="{removed}"></span>
            </form>"""
_COLUMNS = ("place", "who", "instance", "algorithm", "length", "gap", "time")
_BODY = Path(__file__).with_name("table.html").read_text("utf-8")


def table_page(base: str, host: bool, name: str) -> str:
    """Return the HTML of the page.

    Parameters
    ----------
    base : str
        Path under which the application is served, with a trailing slash.
    host : bool
        Whether the host views the page; they reach it from the page that shows the join code.
    name : str
        Nickname of the visitor who views the page; they can change it there.
    """
    heads = "".join(f'<th scope="col" class="{column}">{escape(text(f"runs.{column}"))}</th>' for column in _COLUMNS)
    body = _BODY.format(
        heads=heads,
        own_name="" if host else _name_form(name),
        title=escape(text("runs.title")),
        about=escape(text("runs.about")),
        instance=ids.INSTANCE,
        instance_label=escape(text("runs.instance")),
        all=escape(text("runs.all")),
        csv=escape(text("runs.csv")),
        back_to=escape(base + CLASS if host else base),
        back=escape(text("runs.back") if host else text("back")),
        rows=ids.ROWS,
        remove=escape(text("name.remove", name="{name}")),
        none=ids.NONE,
        none_text=escape(text("runs.none")),
        outdated_id=ids.OUTDATED,
        outdated=escape(text("runs.silent")),
    )
    return plain_page(text("runs.title"), body, base, "classroom", ("classroom",))


def _name_form(name: str) -> str:
    return _NAME.format(
        form=ids.NAME_FORM,
        name=ids.NAME,
        label=escape(text("name.label")),
        value=escape(name),
        longest=MAX_LENGTH,
        save=escape(text("name.save")),
        saved=escape(text("name.saved")),
        removed=escape(text("name.removed")),
        sentence=ids.NAME_SENTENCE,
    )
