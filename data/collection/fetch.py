"""Downloads unbundled instances from the TSPLIB 95 site, for the command line only.

Only instances whose hash is in ``optima.json`` can be fetched; any other content is refused.
"""

import http.client
import re
import time
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path

from data.collection.listing import bundled_files
from data.collection.optima import known_optima
from data.errors import InvalidInstance
from data.files import write_whole
from data.instance import Instance
from data.limits import MAX_BYTES
from data.tsplib.instances import read, write

#: Address of TSPLIB 95, with ``NAME.tsp.gz`` for each instance.
HOME = "http://comopt.ifi.uni-heidelberg.de/software/TSPLIB95/tsp"
# Timeouts in seconds, for a single response of the server and for the whole file.
_RESPONSE_SECONDS, _MAX_SECONDS = 10.0, 60.0
_CHUNK = 65_536


class FetchFailed(RuntimeError):
    """An instance could not be fetched; the message is a sentence."""


def list_fetchable() -> list[str]:
    """Return the names of the instances that `fetch` can download, sorted by number of cities."""
    return sorted(known_optima().keys() - bundled_files().keys(), key=lambda name: (known_optima()[name]["n"], name))


def fetch(name: str, folder: Path, home: str = HOME) -> Path:
    """Download an instance and save it atomically in `folder` as ``<name>.tsp`` in normal form.

    Parameters
    ----------
    name : str
        One of `list_fetchable`.
    folder : Path
        Folder, created if it does not exist.
    home : str
        URL of the folder with ``<name>.tsp.gz``, http or https.

    Raises
    ------
    FetchFailed
        If the name is unknown, or the file exists, cannot be downloaded or written, or does not match the known hash.
    """
    address = re.fullmatch(r"https?://([^/\s]+)\S*", home)
    if address is None:
        raise FetchFailed("The address to fetch from must begin with http:// or https://.")
    path, host = _choose_destination(name, folder), address[1]
    try:
        raw = _download(f"{home.rstrip('/')}/{name}.tsp.gz")
    except urllib.error.HTTPError as error:
        raise FetchFailed(f"{host} does not provide {name} (status {error.code}): try later.") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        hint = f"check the connection, or copy {name}.tsp to {folder} yourself."
        raise FetchFailed(f"{host} cannot be reached ({reason}): {hint}") from None
    instance = _check(raw, name, host)
    instance = replace(instance, name=name, comment=f"TSPLIB 95: {instance.comment}")
    try:
        write_whole(path, write(instance).encode())
    except OSError as error:
        raise FetchFailed(
            f"{folder} cannot be written to ({error.strerror}): choose another folder with --to."
        ) from None
    return path


def _choose_destination(name: str, folder: Path) -> Path:
    if name in bundled_files():
        raise FetchFailed(f"{name} is bundled: it is in the instance list already.")
    if name not in list_fetchable():
        raise FetchFailed(f"{name[:30]!a} cannot be fetched; these can: {', '.join(list_fetchable())}.")
    for path in (folder / f"{name}.tsp.gz", folder / f"{name}.tsp"):
        if path.exists():
            raise FetchFailed(f"{path} exists already: move it away to fetch it again.")
    return path


def _download(address: str) -> bytes:
    """Read a response's body, at most one byte more than the limit."""
    end = time.monotonic() + _MAX_SECONDS
    body = bytearray()
    with urllib.request.urlopen(address, timeout=_RESPONSE_SECONDS) as answer:
        while len(body) <= MAX_BYTES and (chunk := answer.read1(_CHUNK)):
            body += chunk
            if time.monotonic() > end:
                raise TimeoutError(f"not done after {_MAX_SECONDS:.0f} s")
    return bytes(body[: MAX_BYTES + 1])


def _check(raw: bytes, name: str, host: str) -> Instance:
    try:
        instance = read(raw, "folder")
    except InvalidInstance as error:
        raise FetchFailed(f"What {host} sent for {name} is invalid, and was not saved: {error}") from None
    if instance.sha256 != known_optima()[name]["sha256"]:
        raise FetchFailed(f"What {host} sent for {name} differs from TSPLIB's instance, and was not saved.")
    return instance
