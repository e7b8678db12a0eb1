"""The host under which other machines reach this one, and a test for loopback hosts."""

import ipaddress
import socket

#: An address reserved for documentation (RFC 5737); nothing is sent to it.
_UNREACHABLE = ("192.0.2.1", 9)


def find_network_host() -> str:
    """Return this machine's address in its network, or its name without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_UNREACHABLE)  # selects the network without sending anything
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def is_own(host: str) -> bool:
    """Return whether a host, with or without port, is a loopback or wildcard address."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _parse_address(name)
    address = getattr(address, "ipv4_mapped", None) or address
    return address is not None and (address.is_loopback or address.is_unspecified)


def _parse_address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
