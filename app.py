"""Start TourScope: ``python app.py`` serves the page."""

import argparse
import contextlib
import gc
import ipaddress
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from data.command_line import command
from data.home.place import default_home
from data.lock import locked
from runs.web.framing import is_origin
from runs.web.log import write_log
from runs.web.network.own_host import network_host
from solvers.worker.ray.options import ClusterOptions, ClusterRefused, add_options, cluster_address

MB = 1_000_000
#: File in the data folder with the address of the server that uses it.
ADDRESS = "address"
#: Pages for ``--open``; the first is at the base path.
PAGES = ("watch", "race", "study", "library", "papers", "learn")
#: Runs that each visitor or IP address may start: a burst, and more each minute; a class may share one address.
STARTS = (300, 120)
#: The same limits for uploads.
UPLOADS = (60, 30)
#: Answers to the class, and nicknames, of a visitor at once, and further ones each minute.
ANSWERS = (30, 60)


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog=command("app.py"), description="Watch solvers of the Travelling Salesman Problem."
    )
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
        help="runs that each visitor of a shared server may keep, 0 for any number (default: %(default)s)",
    )
    parser.add_argument(
        "--visitor-mb",
        type=int,
        default=5000,
        help="MB that each visitor's runs may take, 0 for any amount (default: %(default)s)",
    )
    add_options(parser)
    parser.add_argument(
        "--ray-cores", type=int, default=1, help="cores of a cluster node that a run takes (default: %(default)s)"
    )
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
    options.network = network_host() if options.share and not options.host else ""
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
        options.cluster = cluster_address(options)
    except ClusterRefused as refused:
        parser.error(str(refused))
    if not options.share and options.host not in ("127.0.0.1", "localhost", "::1"):
        parser.error(f"--host {options.host} would let others in: add --share to allow that")
    return options


def is_network(text: str) -> bool:
    """Whether a text is an IP address or a network."""
    try:
        ipaddress.ip_network(text)
    except ValueError:
        return False
    return True


def listen(host: str, port: int) -> socket.socket:
    """Bind the port; on failure, exit with a message and status 1."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        sys.exit(f"Port {port} of {host} cannot be used ({reason}); choose another one with --port.")
    return listener


def write_address(home: Path, address: str) -> None:
    """Store this server's address, with the host's code, so that a second start can open it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(home / ADDRESS, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(address)


def open_running(options: argparse.Namespace) -> None:
    """If another server already uses the data folder, open its page and exit instead of failing."""
    try:
        descriptor, address = locked(options.home / "lock", 0), (options.home / ADDRESS).read_text()
    except OSError:
        return  # no server has used the folder, or none stored its address
    if descriptor is not None:
        os.close(descriptor)
        return
    print(f"TourScope is running: {address}", flush=True)
    open_in_browser(address, wait=True)
    sys.exit(0)


def open_in_browser(address: str, wait: bool = False) -> None:
    """Open a page in the user's browser, if the system has a graphical one; the page waits for the server."""
    import webbrowser

    names = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    if not sys.platform.startswith("linux") or any(map(os.environ.get, names)):
        opening = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)
        opening.start()
        if wait:
            opening.join()


def create(
    home: Path,
    base: str,
    panels: Sequence[Any] = (),
    max_runs: int | None = None,
    shared: bool = False,
    limits: Any = None,
    frames: bool = False,
    engine: Callable[[], Any] | None = None,
    opened: Any = None,
) -> tuple[list[Any], tuple[Any, ...]]:
    """Create the pages' Dash applications and the services behind them, which the caller closes.

    Imports happen here, so that a port in use is reported first. Each page is an application of its own, with its own
    layout, callbacks and scripts, on one server; all but the first are built on their first request. Workers are
    processes of this machine if no `engine` is given. The `opened` server may already be answering requests.
    """
    from components.document.opening import open_pages
    from components.document.pages import LazyRoutes, before_the_pages
    from components.shell.paths import CLASS
    from components.shell.paths import PAGES as PATHS
    from components.watch.proving import add_prove_routes
    from components.watch.routes import add_hand_route, add_start_route
    from runs.engine.process import ProcessEngine
    from runs.lazy import Lazy, once
    from runs.limits import UNLIMITED
    from runs.service import RunService
    from runs.web.health import add_health_route
    from runs.web.openapi import add_description_route
    from runs.web.routes import add_routes

    run_service = RunService(home, engine or ProcessEngine, max_runs, shared, limits or UNLIMITED)
    folder = Path.cwd()  # where command lines put their studies

    @once
    def races() -> Any:
        from runs.races.service import RaceService

        return RaceService(run_service)

    def make_studies() -> Any:
        from runs.study_jobs.service import StudyService

        return StudyService(run_service, home, [folder])

    def make_library() -> Any:
        from runs.library.service import Library

        return Library(home, run_service, races(), studies())

    def make_paper_jobs() -> Any:
        from runs.paper_jobs.service import PaperJobs

        return PaperJobs(run_service, studies(), home / "papers", is_owner=run_service.owners.is_owner)

    @once
    def lessons() -> Any:
        from components.learn.collection import Lessons

        return Lessons(home / "lessons")

    # created within a minute in any case, since it removes old entries from the trash
    studies, library, paper_jobs = Lazy(make_studies), Lazy(make_library, within=60), Lazy(make_paper_jobs)
    opened = opened or open_pages(base)
    server, pages = opened.server, opened.pages
    with before_the_pages(server):
        add_health_route(server, run_service, base)
        add_description_route(server, base)
        add_routes(server, run_service, base)
        add_start_route(server, run_service, base)
        add_hand_route(server, run_service, base)
        add_prove_routes(server, run_service, base)

    def race_parts() -> tuple[Any, ...]:
        from components.race import lanes

        return races(), base, lanes.series_style, "components.race.ending:sentence"

    lazy_routes = {
        "runs/": LazyRoutes(server, "components.embed.routes:add_embed_routes", lambda: (run_service, base)),
        "studies/": LazyRoutes(server, "runs.study_jobs.routes:add_study_routes", lambda: (studies(), base)),
        PATHS["study"]: LazyRoutes(
            server,
            "components.study.first_view:add_first_view_route",
            lambda: (studies(), base + PATHS["study"]),
        ),
        "how/": LazyRoutes(server, "components.how.routes:add_how_routes", lambda: (base,)),
        "races/": LazyRoutes(server, "runs.races.routes:add_race_routes", race_parts),
        CLASS: LazyRoutes(
            server, "components.classroom.routes:add_class_routes", lambda: (run_service, library(), base)
        ),
        PATHS["library"]: LazyRoutes(
            server, "components.library.routes:add_library_routes", lambda: (library(), run_service, races(), base)
        ),
        PATHS["papers"]: LazyRoutes(server, "components.papers.routes:add_papers_routes", lambda: (paper_jobs(), base)),
        PATHS["learn"]: LazyRoutes(
            server, "components.learn.routes:add_learn_routes", lambda: (lessons(), run_service, base)
        ),
    }
    # paths whose routes are added together with another path's
    aliases = {"docs/": "how/", "compared.gif/": "races/", "presets/": "studies/"}
    lazy_routes |= {path: lazy_routes[path_to_copy] for path, path_to_copy in aliases.items()}
    opened.parts.update(
        {
            "race": lambda: (races(), base),
            "study": lambda: (studies(), base),
            "library": lambda: (library(), run_service, base),
            "papers": lambda: (run_service, base),
            "learn": lambda: (run_service, lessons(), base),
            "watch": lambda: (run_service, panels, frames),
        }
    )
    pages[base].make()
    opened.on_demand.update({path: [page] for path, page in pages.items()})
    for path, part in lazy_routes.items():
        opened.on_demand.setdefault(base + path, []).append(part)
    opened.ready.set_result(True)
    return list(reversed(pages.values())), (paper_jobs, library, studies, run_service)


def cluster_engine(options: ClusterOptions) -> Any:
    """Create the engine whose workers are on a Ray cluster.

    Raises
    ------
    ClusterRefused
    """
    from runs.engine.ray.engine import RayEngine
    from solvers.worker.ray.connection import Cluster

    return RayEngine(Cluster(options), options)


def watch_solvers(files: Sequence[str]) -> tuple[Any, ...]:
    """Register users' solvers and return the watcher of their files; exit if one is unusable."""
    from solvers.user_files.loading import FaultySolver
    from solvers.user_files.watching import Watcher, join

    try:
        join(files)
    except FaultySolver as fault:
        sys.exit(str(fault))
    return (Watcher(),)


def serve(options: argparse.Namespace, listener: socket.socket) -> None:
    """Serve until a signal stops the server.

    The first page's document and scripts are served while everything else is built. A server with join codes or
    panels builds everything first: codes are stored in the data folder, and panels may have scripts that the security
    policy must allow.
    """
    import uvicorn

    from runs.web.startup import Startup, hide_module

    with hide_module("IPython"):  # 10 MB that Dash loads for notebooks, wherever it is installed
        import dash  # noqa: F401
    from components.document.opening import open_pages
    from components.watch.panels import load
    from runs.imports import MAX_RUN_BYTES
    from runs.web.addresses import HEALTH
    from runs.web.connections import BoundedProtocol
    from runs.web.framing import Framing, framed_path
    from runs.web.guard import Guard, GuardConfig, hashes
    from runs.web.join_codes import make_join_codes
    from runs.web.languages import Languages
    from runs.web.memory import return_large_blocks
    from runs.web.rates import Rate
    from runs.web.spooled import SpoolingMiddleware
    from runs.web.window import MISSING, Window, is_available

    if options.window and not is_available():
        sys.exit(MISSING)
    return_large_blocks()
    # read by `data.collection.listing`, which finds the user's own instances there
    os.environ["TOURSCOPE_HOME"] = str(options.home)
    sys.path.append(str(Path.cwd()))  # where panels are found
    try:
        panels = load(options.panel)
    except (ImportError, TypeError) as error:
        sys.exit(str(error))
    watchers = watch_solvers(options.solver) if options.solver else ()
    host = options.network or (f"[{options.host}]" if ":" in options.host else options.host)
    address = f"http://{host}:{listener.getsockname()[1]}{options.base_path}"

    def make() -> tuple[Any, ...]:
        services = make_services(options, panels, opened)
        gc.freeze()
        gc.enable()
        return services

    def print_addresses(codes: Any = None) -> None:
        write_address(options.home, f"{address}{f'?join={codes.host or codes.join}' if codes else ''}")
        print(f"TourScope: {address}{f'?join={codes.join}' if codes else ''}", flush=True)
        if codes and codes.shared:
            print(f"For you alone, the host: {address}?join={codes.host}", flush=True)

    build_first = options.share or options.code or options.metrics_port is not None or bool(panels)
    startup = Startup(make, print_addresses)
    opened = open_pages(options.base_path, None if build_first else startup.start)
    codes = None
    if build_first:
        startup.now()
        if options.share or options.code:
            try:
                codes = make_join_codes(options.home, options.share, address if options.network else "")
            except OSError as error:
                sys.exit(_home_error(options.home, error))
    first = opened.pages[options.base_path]
    # all pages have the same inline scripts
    scripts = sorted({*first.csp_hashes(), *hashes(first.index_string)})
    uploads = {f"{options.base_path}{name}": MAX_RUN_BYTES for name in ("runs", "races", "studies")}
    rates = {
        **{path: Rate(*UPLOADS) for path in (*uploads, f"{options.base_path}pictures")},
        f"{options.base_path}start": Rate(*STARTS),
        **{f"{options.base_path}class/{what}": Rate(*ANSWERS) for what in ("answer", "name")},
    }
    stream, health = (f"{options.base_path}{path}" for path in ("stream", HEALTH))
    framing = Framing(tuple(options.embed), framed_path(options.base_path))
    guard_config = GuardConfig(scripts, uploads, rates, {stream}, {health}, options.name, framing)
    application: Any = Guard(SpoolingMiddleware(opened.server), options.host, codes, guard_config)
    application = Languages(application, options.base_path)
    if options.metrics_port is not None:
        from runs.web.metrics import serve_metrics

        try:
            application = serve_metrics(application, startup.services[-1], options.metrics_port)
        except OSError as error:
            sys.exit(f"The port {options.metrics_port} cannot be used for metrics ({error.strerror}).")
    if options.proxy:
        from runs.web.network.forwarded import ForwardedMiddleware

        application = ForwardedMiddleware(application, options.proxy)
    if build_first:
        print_addresses(codes)
    page = f"{options.open}/" if options.open and options.open != PAGES[0] else ""
    address_to_open = f"{address}{page}{f'?join={codes.host or codes.join}' if codes else ''}"
    if options.open and not options.window:
        open_in_browser(address_to_open)
    logs: dict[str, Any] = {"log_level": "warning", "log_config": None}  # in the format of all other logs
    config = uvicorn.Config(
        application,
        **logs,
        http=BoundedProtocol,
        proxy_headers=not options.proxy,  # uvicorn trusts only proxies on this machine, and ignores the host
        ws_per_message_deflate=False,
        ws_max_size=1 << 16,
        server_header=False,
    )
    config.timeout_graceful_shutdown = 1
    running = uvicorn.Server(config)

    def stop() -> None:
        running.should_exit = True

    def end() -> None:
        if not opened.ready.done():
            opened.ready.set_result(False)
        stop()

    startup.failed = end
    window = [Window(address_to_open, stop)] if options.window else []
    try:
        running.run(sockets=[listener])
    finally:
        startup.wait()
        for each in (*window, *watchers, *startup.services):
            each.close()
    startup.raise_failure()


def make_services(options: argparse.Namespace, panels: Sequence[Any], opened: Any) -> tuple[Any, ...]:
    """Build the services behind `opened`; on failure, exit with a message."""
    from data.home.errors import HomeRefused
    from runs.limits import Limits
    from runs.store.home import HomeTaken

    try:
        limits = Limits(options.min_free * MB or None)
        if options.share:
            limits = replace(limits, runs=options.visitor_runs or None, bytes=options.visitor_mb * MB or None)
        settings = (panels, options.max_runs, options.share, limits, bool(options.embed))
        cluster = ClusterOptions(options.cluster, options.ray_cores) if options.cluster else None
        engine = partial(cluster_engine, cluster) if cluster else None
        return create(options.home, options.base_path, *settings, engine, opened)[1]
    except (HomeRefused, HomeTaken, ClusterRefused) as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(_home_error(options.home, error))


def _home_error(home: Path, error: OSError) -> str:
    reason = error.strerror or error
    return f"The data folder {home} cannot be used ({reason}); choose another one with --home."


def main() -> None:
    """Parse the options and serve the page until the process ends.

    The port is bound before anything is set up, so that a second server fails immediately and changes nothing.
    """
    options = arguments()
    try:
        write_log(options.log_file, options.log_format == "json")
    except OSError as error:
        sys.exit(f"The log {options.log_file} cannot be written ({error.strerror}).")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if options.open:
        open_running(options)
    gc.disable()  # most new objects stay, and collecting garbage takes a tenth of the startup time
    try:
        serve(options, listen(options.host, options.port))
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
