"""The link by which visitors of a shared server come in, by an address that they reach."""

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
        All before the code, such as ``http://192.168.1.20:8050/?join=``.
    code : str
        The join code.
    own : bool
        Whether only this machine can reach the address.
    """

    address: str
    code: str
    own: bool

    @property
    def whole(self) -> str:
        """The link."""
        return self.address + self.code


def join_link(request: Request, base: str, codes: JoinCodes) -> JoinLink:
    """The join link: by the address at which the host has opened the page, or the server's in the network.

    Parameters
    ----------
    request : Request
        Its host, which the guard has accepted, is that of the link, unless only this machine can reach that.
    base : str
        Path under which the application is served, with a slash at its end.
    codes : JoinCodes
    """
    host = request.headers.get("host", "").lower()
    own = is_own(host)
    if own and codes.address:
        return JoinLink(f"{codes.address}?join=", codes.join, False)
    return JoinLink(f"{request.scope['scheme']}://{host}{base}?join=", codes.join, own)
