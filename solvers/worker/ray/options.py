"""Command-line options for a Ray cluster, and a check that the cluster is not open to others."""

import argparse
import contextlib
import ipaddress
import os
import re
from dataclasses import dataclass
from pathlib import Path

#: Where workers run: as processes on this machine, or on a Ray cluster.
ENGINES = ("process", "ray")
#: The address that stands for a cluster of this machine alone, which ends with the program.
LOCAL = "local"
#: Ray's variable for how clients authenticate, and the value that requires a token.
MODE, TOKEN = "RAY_AUTH_MODE", "token"
#: A token that Ray can send as a gRPC header: other characters would abort the process, and with a longer token it
#: would never join.
_SENDABLE = re.compile(rb"[ -~]{0,4096}")


class ClusterRefused(RuntimeError):
    """The cluster cannot or must not be used; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """The address of a cluster, and the number of cores per run.

    Attributes
    ----------
    address : str
        ``HOST:PORT`` of the cluster's head, ``auto`` for the cluster to which this machine belongs, or `LOCAL`.
    cores : int
        Number of a node's cores that each run's worker gets.
    """

    address: str = "auto"
    cores: int = 1


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options ``--engine`` and ``--ray-address``."""
    parser.add_argument(
        "--engine", choices=ENGINES, default=ENGINES[0], help="where workers live: on this machine, or on a Ray cluster"
    )
    parser.add_argument(
        "--ray-address",
        metavar="ADDRESS",
        help=f"the cluster's head as HOST:PORT, auto for that of this machine, {LOCAL} for a new one (default: auto)",
    )


def find_cluster_address(options: argparse.Namespace) -> str:
    """Return the cluster's address; empty if workers run here.

    Raises
    ------
    ClusterRefused
        If there is an address without ``--engine ray``, or the address is one for Ray's clients.
    """
    address: str | None = options.ray_address
    if options.engine != "ray":
        if address is not None:
            raise ClusterRefused("--ray-address goes with --engine ray.")
        return ""
    if address is not None and "://" in address:
        raise ClusterRefused(
            f"--ray-address is {address!r:.80}, but must be HOST:PORT: this machine has to be a node of the cluster."
        )
    return address or os.environ.get("RAY_ADDRESS") or "auto"


def check_open(address: str) -> None:
    """Raise an error if others could join the cluster without a token.

    Parameters
    ----------
    address : str
        ``HOST:PORT``.

    Raises
    ------
    ClusterRefused
    """
    if not _is_loopback(address.rpartition(":")[0].strip("[]")) and os.environ.get(MODE, "").lower() != TOKEN:
        raise ClusterRefused(
            f"The Ray cluster at {address:.80} can be reached by other machines and asks for no token, so whoever "
            f"reaches it can run any code: start it and this program with {MODE}={TOKEN}."
        )


def check_token() -> None:
    """Raise an error if Ray cannot send the token; Ray itself reports a missing token.

    Raises
    ------
    ClusterRefused
    """
    name, token = "RAY_AUTH_TOKEN", os.fsencode(os.environ.get("RAY_AUTH_TOKEN", ""))
    if not token:
        path = Path(os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray" / "auth_token")
        name = f"{path!s:.200}"
        with contextlib.suppress(OSError), path.open("rb") as file:
            token = file.readline(1 << 16)
    if not _SENDABLE.fullmatch(token.strip()):
        raise ClusterRefused(f"The token for Ray ({name}) must be one line of at most 4,096 ASCII characters.")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
