"""A shared server's join link, with an address that visitors can reach."""

from dataclasses import dataclass

from starlette.requests import Request

from runs.web.join_codes import JoinCodes
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
