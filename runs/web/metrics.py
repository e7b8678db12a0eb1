"""Prometheus metrics on a separate port that only this machine can reach."""

import threading
import time
from collections.abc import Iterator
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import ThreadingWSGIServer
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from runs.service import RunService
from runs.web.guard import LOOPBACK, OWN_SITES, parse_host

_HOST = "127.0.0.1"
#: Upper bounds of the intervals in the histogram of response times, in seconds.
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class RunMetrics:
    """Metrics read from the run service on each scrape; nothing is counted in between."""

    def __init__(self, run_service: RunService) -> None:
        self._run_service = run_service

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of runs, viewers and available devices; see `prometheus_client`."""
        status = self._run_service.status()
        yield GaugeMetricFamily("tourscope_runs_active", "Runs that have a worker.", status["runs"])
        viewers = self._run_service.status_changes.listeners
        yield GaugeMetricFamily("tourscope_viewers", "Open streams.", viewers)
        started = CounterMetricFamily("tourscope_runs_started", "Runs that were started.")
        started.add_metric([], self._run_service.started)
        yield started
        devices = GaugeMetricFamily("tourscope_device_available", "Whether a device can be used.", labels=["kind"])
        for device in status["devices"] or ():
            devices.add_metric([device["kind"]], float(device["available"]))
        yield devices
        if (node_list := status.get("nodes")) is not None:
            nodes = GaugeMetricFamily("tourscope_nodes", "Nodes of the cluster.", labels=["state"])
            alive = sum(node["alive"] for node in node_list)
            nodes.add_metric(["alive"], alive)
            nodes.add_metric(["lost"], len(node_list) - alive)
            yield nodes


class _Quiet(WSGIRequestHandler):
    """A request handler that logs nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        """Do nothing."""


class TimingMiddleware:
    """ASGI middleware that times responses.

    Parameters
    ----------
    app : ASGI application
    histogram : Histogram
        Histogram with the labels ``method`` and ``status``; times end when the head of the response is sent.
    """

    def __init__(self, app: ASGIApp, histogram: Histogram) -> None:
        self._app, self._histogram = app, histogram

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and record the time to its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()

        async def send_and_record(message: Message) -> None:
            if message["type"] == "http.response.start":
                method = scope["method"] if scope["method"] in ("GET", "POST") else "other"
                self._histogram.labels(method, str(message["status"])).observe(time.perf_counter() - began)
            await send(message)

        await self._app(scope, receive, send_and_record)


def serve_metrics(app: ASGIApp, run_service: RunService, port: int) -> ASGIApp:
    """Serve the metrics on a loopback port, and return the application with timing.

    Raises
    ------
    OSError
        If the port cannot be used.
    """
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(RunMetrics(run_service))
    answers = Histogram(
        "tourscope_answer_seconds", "Time until an answer begins.", ("method", "status"), buckets=_SECONDS,
        registry=registry,
    )  # fmt: skip
    answer = make_wsgi_app(registry)

    def refuse_foreign(environ: dict[str, Any], start: Any) -> Any:
        is_local = parse_host(environ.get("HTTP_HOST", "")) in LOOPBACK
        if is_local and environ.get("HTTP_SEC_FETCH_SITE", "none") in OWN_SITES:
            return answer(environ, start)
        start("403 Forbidden", [("Content-Type", "text/plain")])
        return [b"Requests from other sites are refused."]

    server = make_server(_HOST, port, refuse_foreign, ThreadingWSGIServer, _Quiet)
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return TimingMiddleware(app, answers)
