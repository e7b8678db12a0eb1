"""Tracks a cluster's nodes, and asks each once for its devices."""

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from solvers.worker.ray.nodes import Node

if TYPE_CHECKING:  # it imports Ray
    from solvers.worker.ray.connection import Cluster, Devices

#: Seconds between two polls of the cluster.
INTERVAL = 1.0
_log = logging.getLogger("tourscope.worker")


class NodeWatch:
    """Watches a cluster's nodes; the constructor polls it once.

    Parameters
    ----------
    cluster : Cluster
    on_poll : callable
        Called after each poll, from the watch's thread.

    Attributes
    ----------
    nodes : tuple of Node
        Nodes that are alive, and those that were lost.
    devices : dict of str to list
        Devices of each node by its id, as JSON; see `solvers.core.devices.Device`.
    refusals : dict of str to str
        Reason why a node has no workers, by its id.
    """

    def __init__(self, cluster: "Cluster", on_poll: Callable[[], object]) -> None:
        self._cluster, self._on_poll = cluster, on_poll
        self._device_requests: dict[str, Devices] = {}
        self._closed = threading.Event()
        self.devices: dict[str, list[dict[str, Any]]] = {}
        self.refusals: dict[str, str] = {}
        self.nodes: tuple[Node, ...] = ()
        self._seen: set[str] = set()
        self.poll()
        self._thread = threading.Thread(target=self._run, name="nodes", daemon=True)

    def start(self) -> None:
        """Start polling."""
        self._thread.start()

    def close(self) -> None:
        """Stop polling."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join()

    def poll(self) -> None:
        """Update the list of nodes and their answers."""
        nodes = self._cluster.nodes()
        self._seen |= {node.id for node in nodes if node.alive}
        for node in nodes:
            if node.alive and node.id not in self._device_requests and node.id not in self.devices:
                self._device_requests[node.id] = self._cluster.devices(node)
        for name, request in list(self._device_requests.items()):
            if answer := request.answer():
                self.devices[name], refusal = answer
                if refusal:
                    self.refusals[name] = refusal
                    _log.error("A node of the cluster has no workers: %s", refusal)
                del self._device_requests[name]
        self.nodes = tuple(node for node in nodes if node.id in self._seen)

    def _run(self) -> None:
        while not self._closed.wait(INTERVAL):
            try:
                self.poll()
                self._on_poll()
            except Exception:  # noqa: BLE001 - the cluster may be unreachable for a while; the next poll tries again
                _log.exception("The cluster does not answer.")
