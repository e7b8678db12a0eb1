"""The link by which visitors of a shared server come in, by the address at which the host has opened the page."""

import ipaddress
from dataclasses import dataclass

from starlette.requests import Request


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


def link_of(request: Request, base: str, code: str) -> JoinLink:
    """The join link with the scheme and the host of a request, whose host the guard has accepted.

    Parameters
    ----------
    request : Request
    base : str
        Path under which the application is served, with a slash at its end.
    code : str
    """
    host = request.headers.get("host", "").lower()
    return JoinLink(f"{request.scope['scheme']}://{host}{base}?join=", code, is_own(host))


def is_own(host: str) -> bool:
    """Whether the host of an address, with its port or without, is loopback or stands for every address."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified
