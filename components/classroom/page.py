"""HTML of the page with the join link in large type and as a QR code, and the number of visitors."""

from html import escape
from pathlib import Path

from components.classroom import ids
from components.classroom.link import JoinLink
from components.document.plain_page import plain_page
from components.shell.texts import classroom as text
from runs.web.join_codes import MAX_SEEN

#: Light modules required around a QR code (ISO/IEC 18004).
QUIET = 4
_BODY = Path(__file__).with_name("page.html").read_text("utf-8")


def page(link: JoinLink, visitors: int, base: str) -> str:
    """Return the HTML of the page.

    Parameters
    ----------
    link : JoinLink
    visitors : int
        Number of visitors who have joined.
    base : str
        Path under which the application is served, with a trailing slash.
    """
    warning = f'<p class="class-warning">{escape(text("own"))}</p>' if link.own else ""
    body = _BODY.format(
        code=draw_code(link.url),
        address=escape(link.address),
        join=escape(link.code),
        own=warning,
        joined=escape(describe_visitor_count(visitors)),
        joined_id=ids.JOINED,
        outdated_id=ids.OUTDATED,
        base=escape(base),
        title=escape(text("title")),
        picture=escape(text("picture")),
        how=escape(text("how")),
        outdated=escape(text("outdated")),
        back=escape(text("back")),
        runs=escape(text("runs.title")),
    )
    return plain_page(text("title"), body, base, "classroom", ("classroom",))


def describe_visitor_count(visitors: int) -> str:
    """Return a sentence about the number of visitors."""
    return text("joined.most", count=visitors) if visitors >= MAX_SEEN else text("joined", count=visitors)


def draw_code(content: str) -> str:
    """Draw a QR code as SVG, one unit per module, black on white with its quiet zone in every theme.

    Uses the lowest level of error correction of this size. Nothing covers a screen, and larger modules can be read from
    farther away.
    """
    import segno  # 40 ms, which a server that is not shared need not spend

    code = segno.make(content, error="l", boost_error=True, micro=False)
    return code.svg_inline(border=QUIET, dark="#000", light="#fff", omitsize=True)
