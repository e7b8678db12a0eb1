"""A document as a page of its own: at an address to send, or for who opens a link of the drawer in another tab."""

from html import escape

from components.how.content import only_in_english
from components.shell import assets, markdown
from components.shell.texts import how as text
from runs.language import language

_PAGE = """<!DOCTYPE html>
<html lang="{language}" data-bs-theme="light">
    <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{title} · TourScope</title>
        <link rel="icon" href="{assets}/mark.svg" type="image/svg+xml">
        <script src="{assets}/early/theme.js"></script>
        <link href="{assets}/pages/{how}" data-how>
        <link rel="stylesheet" href="{assets}/vendor/bootstrap.min.css">
        <link rel="stylesheet" href="{assets}/pages/watch.css">
        <link rel="stylesheet" href="{assets}/pages/how.css">
        <script type="module" src="{assets}/pages/{how}"></script>
    </head>
    <body>
        <nav class="doc-ways">{ways}</nav>
        <main class="doc doc-page">
            {note}
            <div lang="{written}">
                <h1>{title}</h1>
                {html}
            </div>
        </main>
    </body>
</html>"""


def page(path: str, base_path: str) -> str:
    """The HTML of a document of ``docs/``, below the ways to the list of all and to the application.

    Raises
    ------
    NoSuchDocument
        If there is none.
    """
    found = markdown.document(path, base_path)
    named = {base_path: text("application"), f"{base_path}docs/": text("documents")}
    ways = "".join(f'<a href="{escape(address)}">{escape(said)}</a>' for address, said in named.items())
    return _PAGE.format(
        title=escape(found.title),
        html=found.html,
        ways=ways,
        assets=assets.address(base_path),
        language=language(),
        written=found.language,
        note=only_in_english(found),
        how=assets.script_of("how", language()),
    )
