"""Controls framing by other sites: only single runs, and only on sites named by the host."""

import re
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import Scope

#: By default no page may be framed.
_REFUSED = {"X-Frame-Options": "DENY"}
#: An origin as browsers write it; other characters must not get into a header.
_ORIGIN = re.compile(r"https?://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?")


#: Suffix of a run's address at which other sites may frame it.
FRAMED = "embed"


def make_framed_pattern(base: str) -> str:
    """Return the regular expression for addresses of single runs (`components.embed.routes`)."""
    return rf"{re.escape(base)}runs/[A-Za-z0-9_-]{{12}}/{FRAMED}"


def is_origin(text: str) -> bool:
    """Return whether a text is a site's origin, such as ``https://www.example.org``."""
    return _ORIGIN.fullmatch(text) is not None


@dataclass(frozen=True)
class Framing:
    """Addresses that may be framed, and sites that may frame them.

    Attributes
    ----------
    origins : tuple of str
        Sites that may frame these addresses; none by default.
    path : str
        Regular expression for the addresses of single runs.
    """

    origins: tuple[str, ...] = ()
    path: str = ""

    def is_offered(self, scope: Scope) -> bool:
        """Return whether a request is for a page that other sites may embed."""
        is_read = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        return is_read and bool(self.origins) and re.fullmatch(self.path, scope["path"]) is not None

    def opens_frame(self, scope: Scope, headers: Headers) -> bool:
        """Return whether a browser is loading an embeddable page into a frame."""
        is_frame = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "iframe"
        return is_frame and self.is_offered(scope)

    def headers(self, scope: Scope, policy: str) -> dict[str, str]:
        """Return the response headers that control framing.

        Parameters
        ----------
        scope : Scope
        policy : str
            Content security policy of all pages, which refuses frames. Single runs have a stricter policy.
        """
        if not self.is_offered(scope):
            return {**_REFUSED, "Content-Security-Policy": policy}
        return {"Content-Security-Policy": f"frame-ancestors 'self' {' '.join(self.origins)}"}
