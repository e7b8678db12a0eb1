"""A server's join codes, and the signed cookie that identifies a visitor."""

import hmac
import itertools
import os
import re
import secrets
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from runs.visitors import HOST, Visitor
from runs.web.rates import Rate

#: Cookie with the code that a browser has sent.
JOIN_COOKIE = "tourscope-join"
#: Cookie with a visitor's id and its signature.
VISITOR_COOKIE = "tourscope-visitor"
#: Seconds for which a browser keeps a visitor's cookie after it last joined.
VISITOR_SECONDS = 180 * 86_400
#: Number of random bytes in the host's code, which is also the only code of a server that is not shared.
JOIN_BYTES = 16
#: Characters of a code that people type; none is easily confused with another. Eight of them have 39 bits, enough for
#: the rates in `_GUESSES`.
JOIN_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_JOIN_PARTS = (4, 4)
_KEY_BYTES = 32
#: Wrong codes allowed at once, and per minute after that: for each known visitor, and for all others together, since a
#: class may share an address. The right code is always accepted.
_GUESSES = (100, 60)
#: New visitors allowed from one address at once, and per minute after that; a class may share an address.
_NEW = (300, 120)
#: Maximum number of visitor ids that are counted, 16 characters each.
MAX_SEEN = 10_000
_SIGNED = re.compile(r"([A-Za-z0-9_-]{16})\.([0-9a-f]{64})")


@dataclass(frozen=True)
class JoinCodes:
    """A server's join codes, and the key for its cookies.

    Attributes
    ----------
    join : str
        The code for visitors.
    host : str
        The host's own code; empty where every visitor is the host.
    address : str
        Address for visitors, such as ``http://192.168.1.20:8050/``; empty if unknown.
    key : bytes
        Signs visitors' cookies; unused without a host's code.
    guess_rate, newcomer_rate : Rate
        Rates of wrong codes and of new visitors.
    visitor_numbers : dict of str to int
        Ids of up to `MAX_SEEN` visitors who joined since the server started, numbered from 1 in the order of joining.
    started_at : float
        When the server started, in seconds since 1970.
    """

    join: str
    host: str = ""
    key: bytes = b""
    address: str = field(default="", kw_only=True)
    guess_rate: Rate = field(default_factory=lambda: Rate(*_GUESSES))
    newcomer_rate: Rate = field(default_factory=lambda: Rate(*_NEW))
    visitor_numbers: dict[str, int] = field(default_factory=dict)
    started_at: float = field(default_factory=time.time)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def shared(self) -> bool:
        """Whether people other than the host may join."""
        return bool(self.host)

    def read(self, code: str) -> str:
        """Normalise a received code, which visitors may type in another case, with spaces and hyphens."""
        return self.join if _are_equal(_normalise(code), _normalise(self.join)) else code

    def admits(self, code: str) -> bool:
        """Return whether a code is valid."""
        return _are_equal(code, self.join) or self.is_host(code)

    def is_host(self, code: str) -> bool:
        """Return whether a code is the host's."""
        return self.shared and _are_equal(code, self.host)

    def visitor(self, cookies: Mapping[str, str]) -> Visitor:
        """Return the visitor with these cookies; anonymous if the signature is not ours."""
        if not self.shared:
            return HOST
        signed = _SIGNED.fullmatch(cookies.get(VISITOR_COOKIE, ""))
        is_valid = signed and _are_equal(signed[2], self._sign(signed[1]))
        return Visitor(signed[1] if signed and is_valid else "", self.is_host(cookies.get(JOIN_COOKIE, "")))

    def assign_id(self, visitor: Visitor, address: str) -> Visitor:
        """Give a visitor an id, unless their address has had too many new visitors."""
        return (
            visitor
            if visitor.id or self.newcomer_rate.wait(address)
            else visitor._replace(id=secrets.token_urlsafe(12))
        )

    def count(self, visitor: Visitor, cookies: Mapping[str, str]) -> None:
        """Count the visitor of a request, unless it is the host or has not joined."""
        if visitor.host:
            self.visitor_numbers.pop(visitor.id, None)  # the host may have joined as a visitor before
        elif (
            visitor.id
            and visitor.id not in self.visitor_numbers
            and self._has_joined(cookies)
            and len(self.visitor_numbers) < MAX_SEEN
        ):
            self.visitor_numbers[visitor.id] = next(self._numbers)

    def _has_joined(self, cookies: Mapping[str, str]) -> bool:
        return _are_equal(cookies.get(JOIN_COOKIE, ""), self.join)

    def cookie(self, visitor: Visitor, secure: bool) -> str:
        """Return the Set-Cookie header for a visitor; empty for anonymous ones."""
        if not (self.shared and visitor.id):
            return ""
        value = f"{VISITOR_COOKIE}={visitor.id}.{self._sign(visitor.id)}; Max-Age={VISITOR_SECONDS}; Path=/"
        return f"{value}; HttpOnly; SameSite=Strict" + ("; Secure" if secure else "")

    def _sign(self, visitor: str) -> str:
        return hmac.new(self.key, visitor.encode(), "sha256").hexdigest()


def _normalise(code: str) -> str:
    return re.sub(r"[\s-]", "", code).lower()


def make_join_code() -> str:
    """Return a new code that is easy to type and to read aloud, such as ``k7mp-3xqd``."""
    return "-".join("".join(secrets.choice(JOIN_ALPHABET) for _ in range(count)) for count in _JOIN_PARTS)


def _are_equal(first: str, second: str) -> bool:
    return hmac.compare_digest(first.encode(), second.encode())


def parse_cookies(header: str) -> dict[str, str]:
    """Parse a request's cookies; of several with the same name, the first counts."""
    cookies: dict[str, str] = {}
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        cookies.setdefault(name, value)
    return cookies


def make_join_codes(home: Path, shared: bool, address: str = "") -> JoinCodes:
    """Create a server's join codes; if it is not shared, every visitor is the host.

    Parameters
    ----------
    home : Path
        The data folder.
    shared : bool
    address : str
        See `JoinCodes`.

    Raises
    ------
    OSError
        If the key of the visitors' cookies cannot be read or created.
    """
    if not shared:
        return JoinCodes(secrets.token_urlsafe(JOIN_BYTES))
    return JoinCodes(make_join_code(), secrets.token_urlsafe(JOIN_BYTES), load_key(home), address=address)


def load_key(home: Path) -> bytes:
    """Load the key that signs cookies, created with the first shared server.

    Raises
    ------
    OSError
    """
    path = home / "visitors.key"
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        key = b""
    if len(key) != _KEY_BYTES:  # the file is missing, or was cut off because the disk was full
        key = secrets.token_bytes(_KEY_BYTES)
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(key)
    return key
