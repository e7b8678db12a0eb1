"""Options of the server's command line."""

import argparse
import ipaddress
from pathlib import Path

from data.command_line import name_command
from data.home.place import default_home
from runs.web.framing import is_origin
from runs.web.network.own_host import find_network_host
from solvers.worker.ray.options import ClusterRefused, add_options, find_cluster_address

#: Pages for ``--open``; the first is at the base path.
PAGES = ("watch", "race", "study", "library", "papers", "learn")


def parse_options() -> argparse.Namespace:
    """Parse the command line; exit if it is invalid."""
    parser = argparse.ArgumentParser(
        prog=name_command("app.py"), description="Watch solvers of the Travelling Salesman Problem."
    )
    _add_addresses(parser)
    _add_limits(parser)
    parser.add_argument("--log-file", type=Path, help="write the log to this file instead of standard error")
    parser.add_argument(
        "--log-format", choices=("text", "json"), default="text", help="format of the log (default: %(default)s)"
    )
    parser.add_argument("--metrics-port", type=int, help="local port that serves metrics to Prometheus")
    options = parser.parse_args()
    options.base_path = f"/{options.base_path.strip('/')}/".replace("//", "/")
    if options.max_runs is not None and options.max_runs < 1:
        parser.error("--max-runs must be at least 1")
    if wrong := [proxy for proxy in options.proxy if not is_network(proxy)]:
        parser.error(f"--proxy {wrong[0]!r:.80} is not an address or a network, such as 127.0.0.1 or 10.0.0.0/8")
    options.network = find_network_host() if options.share and not options.host else ""
    options.host = options.host or ("0.0.0.0" if options.share else "127.0.0.1")
    if wrong := [site for site in options.embed if not is_origin(site)]:
        parser.error(f"--embed {wrong[0]!r:.80} is not the origin of a site, such as https://www.example.org")
    if min(options.min_free, options.visitor_runs, options.visitor_mb) < 0:
        parser.error("--min-free, --visitor-runs and --visitor-mb must be at least 0")
    if options.share and options.code is False:
        parser.error("--no-code would let anybody in: leave out --share, or --no-code")
    if options.ray_cores < 1:
        parser.error("--ray-cores must be at least 1")
    try:
        options.cluster = find_cluster_address(options)
    except ClusterRefused as refused:
        parser.error(str(refused))
    if not options.share and options.host not in ("127.0.0.1", "localhost", "::1"):
        parser.error(f"--host {options.host} would let others in: add --share to allow that")
    return options


def _add_addresses(parser: argparse.ArgumentParser) -> None:
    """Add options for addresses, access, and what to load and open."""
    parser.add_argument("--host", help="address to listen on (default: 127.0.0.1; with --share, all of this machine's)")
    parser.add_argument(
        "--port", type=int, default=8050, help="port to listen on, 0 for any free one (default: %(default)s)"
    )
    parser.add_argument(
        "--share",
        action="store_true",
        help="listen on the network; others join by the code in the printed address",
    )
    parser.add_argument(
        "--code",
        action=argparse.BooleanOptionalAction,
        help="ask for a join code on this machine too, in case others use it",
    )
    parser.add_argument("--home", type=Path, default=default_home(), help="data folder (default: %(default)s)")
    parser.add_argument("--base-path", default="/", help="prefix of all addresses (default: %(default)s)")
    parser.add_argument(
        "--panel", action="append", default=[], help="Python module of a panel for the Watch page; repeatable"
    )
    parser.add_argument(
        "--solver", action="append", default=[], metavar="FILE", help="file with a solver of your own; repeatable"
    )
    parser.add_argument(
        "--name", action="append", default=[], help="another host name of this server, such as a proxy's; repeatable"
    )
    parser.add_argument(
        "--proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="address or network of a proxy whose X-Forwarded-... headers are trusted; repeatable",
    )
    parser.add_argument(
        "--embed",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="site whose pages may show runs in a frame, such as https://www.example.org; repeatable",
    )
    parser.add_argument(
        "--open",
        nargs="?",
        choices=PAGES,
        const=PAGES[0],
        metavar="PAGE",
        help=f"open a page in the browser: {', '.join(PAGES)}",
    )
    parser.add_argument("--no-open", dest="open", action="store_const", const=None, help="do not open a browser")
    parser.add_argument(
        "--window", action="store_true", help="open the page in its own window; closing it ends the server"
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    """Add options for runs, disk space and clusters."""
    parser.add_argument(
        "--max-runs", type=int, help="runs at a time; others wait (default: the number of cores, at least 2)"
    )
    parser.add_argument(
        "--min-free", type=int, default=500, help="MB of free disk space that a new run needs (default: %(default)s)"
    )
    parser.add_argument(
        "--visitor-runs",
        type=int,
        default=500,
        help="runs that each visitor of a shared server may keep, 0 for no limit (default: %(default)s)",
    )
    parser.add_argument(
        "--visitor-mb",
        type=int,
        default=5000,
        help="MB that each visitor's runs may use, 0 for no limit (default: %(default)s)",
    )
    add_options(parser)
    parser.add_argument(
        "--ray-cores", type=int, default=1, help="cores of a cluster node that a run uses (default: %(default)s)"
    )


def is_network(text: str) -> bool:
    """Return whether a text is an IP address or a network."""
    try:
        ipaddress.ip_network(text)
    except ValueError:
        return False
    return True
