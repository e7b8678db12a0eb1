"""The page's HTML: the join link in large type and as a QR code, and how many have come in."""

from html import escape

from components.classroom import ids
from components.classroom.link import JoinLink
from components.document.plain_page import plain_page
from components.shell.texts import classroom as text
from runs.web.join_codes import MOST_SEEN

#: Light modules around a QR code, which readers need (ISO/IEC 18004).
QUIET = 4
_BODY = """        <main class="class">
            <div class="class-code" role="img" aria-label="{picture}">{code}</div>
            <div class="class-words">
                <h1>{title}</h1>
                <p>{how}</p>
                <p class="class-link" translate="no">{address}<b>{join}</b></p>
                {own}
                <p id="{joined_id}" class="class-joined">{joined}</p>
                <p id="{outdated_id}" class="class-warning" role="alert" hidden>{outdated}</p>
                <p class="class-links"><a href="runs">{runs}</a> <a href="{base}">{back}</a></p>
            </div>
        </main>"""


def page(link: JoinLink, visitors: int, base: str) -> str:
    """The HTML of the page.

    Parameters
    ----------
    link : JoinLink
    visitors : int
        How many have come in.
    base : str
        Path under which the application is served, with a slash at its end.
    """
    warning = f'<p class="class-warning">{escape(text("own"))}</p>' if link.own else ""
    body = _BODY.format(
        code=svg(link.whole),
        address=escape(link.address),
        join=escape(link.code),
        own=warning,
        joined=escape(visitor_count(visitors)),
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


def visitor_count(visitors: int) -> str:
    """A sentence with the number of visitors."""
    return text("joined.most", count=visitors) if visitors >= MOST_SEEN else text("joined", count=visitors)


def svg(content: str) -> str:
    """A QR code as SVG, a unit a module: black on white in every theme, its quiet zone included.

    The lowest level of error correction that the size leaves: nothing covers a part of a screen, and the fewer modules
    there are, the larger is each and the farther away it is read.
    """
    import segno  # 40 ms, which a server that nobody shares need not spend

    code = segno.make(content, error="l", boost_error=True, micro=False)
    return code.svg_inline(border=QUIET, dark="#000", light="#fff", omitsize=True)
