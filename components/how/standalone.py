"""A document as a separate page, for links that are shared or opened in another tab."""

from html import escape
from pathlib import Path

from components.document.plain_page import plain_page
from components.how.content import untranslated_note
from components.shell import markdown
from components.shell.texts import how as text

_BODY = Path(__file__).with_name("standalone.html").read_text("utf-8")


def page(path: str, base_path: str) -> str:
    """Return a document's HTML, below links to the list of documents and to the application.

    Raises
    ------
    NoSuchDocument
        If there is no such document.
    """
    doc = markdown.document(path, base_path)
    named = {base_path: text("application"), f"{base_path}docs/": text("documents")}
    ways = "".join(f'<a href="{escape(address)}">{escape(label)}</a>' for address, label in named.items())
    body = _BODY.format(
        title=escape(doc.title),
        html=doc.html,
        ways=ways,
        written=doc.language,
        note=untranslated_note(doc),
    )
    return plain_page(doc.title, body, base_path, "how", ("watch", "how"), ("how",))
