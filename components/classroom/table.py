"""HTML around the table of all runs, which a script fills."""

from html import escape

from components.classroom import ids
from components.document.plain_page import plain_page
from components.shell.paths import CLASS
from components.shell.texts import classroom as text

_COLUMNS = ("place", "who", "instance", "algorithm", "length", "gap", "time")
_BODY = """        <main class="class-runs">
            <h1>{title}</h1>
            <p>{about}</p>
            <div class="class-tools">
                <label for="{instance}">{instance_label}</label>
                <select id="{instance}"><option value="">{all}</option></select>
                <a href="runs.csv" download="runs.csv">{csv}</a>
                <a href="{back_to}">{back}</a>
            </div>
            <p id="{outdated_id}" class="class-warning" role="alert" hidden>{outdated}</p>
            <div class="class-table" role="region" aria-label="{title}" tabindex="0">
                <table>
                    <thead><tr>{heads}</tr></thead>
                    <tbody id="{rows}"></tbody>
                </table>
            </div>
            <p id="{none}" hidden>{none_text}</p>
        </main>"""


def table_page(base: str, host: bool) -> str:
    """HTML of the page.

    Parameters
    ----------
    base : str
        Path under which the application is served, with a trailing slash.
    host : bool
        Whether the host views the page; they reach it from the page that shows the join code.
    """
    heads = "".join(f'<th scope="col" class="{each}">{escape(text(f"runs.{each}"))}</th>' for each in _COLUMNS)
    body = _BODY.format(
        heads=heads,
        title=escape(text("runs.title")),
        about=escape(text("runs.about")),
        instance=ids.INSTANCE,
        instance_label=escape(text("runs.instance")),
        all=escape(text("runs.all")),
        csv=escape(text("runs.csv")),
        back_to=escape(base + CLASS if host else base),
        back=escape(text("runs.back") if host else text("back")),
        rows=ids.ROWS,
        none=ids.NONE,
        none_text=escape(text("runs.none")),
        outdated_id=ids.OUTDATED,
        outdated=escape(text("runs.silent")),
    )
    return plain_page(text("runs.title"), body, base, "classroom", ("classroom",))
