"""Start TourScope: ``python app.py`` serves the page."""

import argparse
import gc
import os
import signal
import socket
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from runs.web.listening import listen, open_in_browser, open_running, write_address
from runs.web.log import set_up_log
from runs.web.options import PAGES, parse_options
from solvers.worker.ray.options import ClusterOptions, ClusterRefused

MB = 1_000_000
#: Runs that each visitor or IP address may start: a burst, and more each minute; a class may share one address.
STARTS = (300, 120)
#: The same limits for uploads.
UPLOADS = (60, 30)
#: Answers and nicknames that a visitor may send in a class: a burst, and more each minute.
ANSWERS = (30, 60)


def create_cluster_engine(options: ClusterOptions) -> Any:
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
    from components.document.opening import open_pages
    from components.watch.panels import load
    from runs.web.join_codes import make_join_codes
    from runs.web.memory import configure_malloc
    from runs.web.startup import Startup
    from runs.web.window import MISSING, Window, is_available

    if options.window and not is_available():
        sys.exit(MISSING)
    configure_malloc()
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
        startup.build_now()
        if options.share or options.code:
            try:
                codes = make_join_codes(options.home, options.share, address if options.network else "")
            except OSError as error:
                sys.exit(_home_error(options.home, error))
    application = protect(options, opened, codes, startup)
    if build_first:
        print_addresses(codes)
    page = f"{options.open}/" if options.open and options.open != PAGES[0] else ""
    address_to_open = f"{address}{page}{f'?join={codes.host or codes.join}' if codes else ''}"
    if options.open and not options.window:
        open_in_browser(address_to_open)
    running = make_server(application, is_behind_proxy=bool(options.proxy))

    def stop() -> None:
        running.should_exit = True

    def end() -> None:
        if not opened.ready.done():
            opened.ready.set_result(False)
        stop()

    startup.on_failure = end
    window = [Window(address_to_open, stop)] if options.window else []
    try:
        running.run(sockets=[listener])
    finally:
        startup.wait()
        for service in (*window, *watchers, *startup.services):
            service.close()
    startup.raise_failure()


def make_server(application: Any, is_behind_proxy: bool) -> Any:
    """Return the `uvicorn.Server` of the application."""
    import uvicorn

    from runs.web.connections import BoundedProtocol

    logs: dict[str, Any] = {"log_level": "warning", "log_config": None}  # in the format of all other logs
    config = uvicorn.Config(
        application,
        **logs,
        http=BoundedProtocol,
        proxy_headers=not is_behind_proxy,  # uvicorn trusts only proxies on this machine, and ignores the host
        ws_per_message_deflate=False,
        ws_max_size=1 << 16,
        server_header=False,
    )
    config.timeout_graceful_shutdown = 1
    return uvicorn.Server(config)


def protect(options: argparse.Namespace, opened: Any, codes: Any, startup: Any) -> Any:
    """Return the server's application behind its guard, languages, and, if requested, metrics and a proxy's headers."""
    from components.shell import assets
    from runs.imports import MAX_RUN_BYTES
    from runs.web.addresses import HEALTH
    from runs.web.framing import Framing, make_framed_pattern
    from runs.web.guard import Guard, GuardConfig, hash_scripts
    from runs.web.languages import Languages
    from runs.web.rates import Rate
    from runs.web.spooled import SpoolingMiddleware

    first = opened.pages[options.base_path]
    # all pages have the same inline scripts
    scripts = sorted({*first.csp_hashes(), *hash_scripts(first.index_string)})
    uploads = {f"{options.base_path}{name}": MAX_RUN_BYTES for name in ("runs", "races", "studies")}
    rates = {
        **{path: Rate(*UPLOADS) for path in (*uploads, f"{options.base_path}pictures")},
        f"{options.base_path}start": Rate(*STARTS),
        **{f"{options.base_path}class/{what}": Rate(*ANSWERS) for what in ("answer", "name")},
    }
    stream, health = (f"{options.base_path}{path}" for path in ("stream", HEALTH))
    framing = Framing(tuple(options.embed), make_framed_pattern(options.base_path))
    typeface = f"{assets.address(options.base_path)}/vendor/inter.woff2"
    guard_config = GuardConfig(scripts, uploads, rates, {stream}, {health}, options.name, framing, typeface)
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
    return application


def make_services(options: argparse.Namespace, panels: Sequence[Any], opened: Any) -> tuple[Any, ...]:
    """Build the services behind `opened`; on failure, exit with a message."""
    from components.document.services import create
    from data.home.errors import HomeRefused
    from runs.engine.process import ProcessEngine
    from runs.limits import Limits
    from runs.store.home import HomeInUse

    try:
        limits = Limits(options.min_free * MB or None)
        if options.share:
            limits = replace(limits, runs=options.visitor_runs or None, bytes=options.visitor_mb * MB or None)
        settings = (panels, options.max_runs, options.share, limits, bool(options.embed))
        cluster = ClusterOptions(options.cluster, options.ray_cores) if options.cluster else None
        engine = partial(create_cluster_engine, cluster) if cluster else ProcessEngine
        return create(options.home, options.base_path, *settings, engine, opened)[1]
    except (HomeRefused, HomeInUse, ClusterRefused) as error:
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
    options = parse_options()
    try:
        set_up_log(options.log_file, options.log_format == "json")
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
