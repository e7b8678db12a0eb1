"""By which host other machines reach this one, and which hosts are loopback."""

import ipaddress
import socket

#: An address for documents (RFC 5737), to which nothing is sent.
_ELSEWHERE = ("192.0.2.1", 9)


def network_host() -> str:
    """The address of this machine in its network; its name where no network is chosen."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)  # chooses the network, and sends nothing
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def is_own(host: str) -> bool:
    """Whether a host, with a port or without, is loopback or a wildcard address."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    address = getattr(address, "ipv4_mapped", None) or address
    return address is not None and (address.is_loopback or address.is_unspecified)


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
