"""HTML of the page with the join link in large type and as a QR code, and the number of visitors."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from starlette.requests import Request

from components.document.plain_page import plain_page
from components.shell.paths import CLASS
from components.shell.texts import classroom as text
from components.shell.texts import fill_template
from runs.nicknames import MAX_LENGTH
from runs.web.join_codes import MAX_SEEN, JoinCodes
from runs.web.network.own_host import is_own


@dataclass(frozen=True)
class JoinLink:
    """A join link in its two parts.

    Attributes
    ----------
    address : str
        Everything before the code, such as ``http://192.168.1.20:8050/?join=``.
    code : str
        The join code.
    own : bool
        Whether only this machine can reach the address.
    """

    address: str
    code: str
    own: bool

    @property
    def url(self) -> str:
        """The complete link."""
        return self.address + self.code


def join_link(request: Request, base: str, codes: JoinCodes) -> JoinLink:
    """Return the join link with the host's current address, or the server's address in the network.

    Parameters
    ----------
    request : Request
        Its host, accepted by the guard, is used in the link unless only this machine can reach it.
    base : str
        Path under which the application is served, with a trailing slash.
    codes : JoinCodes
    """
    host = request.headers.get("host", "").lower()
    own = is_own(host)
    if own and codes.address:
        return JoinLink(f"{codes.address}?join=", codes.join, False)
    return JoinLink(f"{request.scope['scheme']}://{host}{base}?join=", codes.join, own)


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
    body = fill_template(
        _BODY,
        text,
        code=draw_code(link.url),
        address=escape(link.address),
        join=escape(link.code),
        warning=warning,
        visitors=escape(describe_visitor_count(visitors)),
        base=escape(base),
    )
    return plain_page(text("title"), body, base, "classroom", ("classroom",))


def describe_visitor_count(visitors: int) -> str:
    """Return a sentence about the number of visitors."""
    return text("joined.most", count=visitors) if visitors >= MAX_SEEN else text("joined", count=visitors)


def draw_code(content: str) -> str:
    """Draw a QR code as SVG, one unit per module, black on white with its quiet zone in every theme.

    The smallest code that holds the content has the largest modules, which can be read from farther away. Strong error
    correction is not needed, since nothing covers a screen.
    """
    import segno  # takes 40 ms, which only a shared server needs to spend

    code = segno.make(content, error="l", boost_error=True, micro=False)
    return code.svg_inline(border=QUIET, dark="#000", light="#fff", omitsize=True)


_NAME = Path(__file__).with_name("name.html").read_text("utf-8")
_COLUMNS = ("place", "who", "instance", "algorithm", "length", "gap", "time")
_TABLE_BODY = Path(__file__).with_name("table.html").read_text("utf-8")


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
    body = fill_template(
        _TABLE_BODY,
        text,
        heads=heads,
        own_name="" if host else fill_template(_NAME, text, value=escape(name), longest=str(MAX_LENGTH)),
        back_to=escape(base + CLASS if host else base),
        back=escape(text("runs.back") if host else text("back")),
        remove=escape(text("name.remove", name="{name}")),
    )
    return plain_page(text("runs.title"), body, base, "classroom", ("classroom",))
