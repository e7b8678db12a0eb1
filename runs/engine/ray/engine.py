"""The engine on a Ray cluster, where each run has a worker on a node.

Lanes of races and recomputed climbs stay on this machine. Lanes are compared by their seconds, so all need the same
hardware and take turns.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from data.instance import Instance
from runs.engine.process import ProcessEngine
from runs.engine.protocol import Engine, Handle, Status
from runs.engine.ray.pool import WorkerPool
from solvers.core.errors import RunFailed
from solvers.plan import may_use_gpu
from solvers.spec import RunSpec
from solvers.worker.process import Process
from solvers.worker.ray.nodes import Node
from solvers.worker.ray.options import ClusterOptions

_CLOSED = "The server is shutting down."


class RayEngine:
    """Runs in workers of a cluster; see `runs.engine.protocol.Engine`.

    Parameters
    ----------
    cluster : solvers.worker.ray.connection.Cluster
        Closed by the engine.
    options : ClusterOptions
    local : Engine, optional
        Engine for everything that stays on this machine.
    """

    def __init__(self, cluster: Any, options: ClusterOptions, local: Engine | None = None) -> None:
        self._cluster, self._options = cluster, options
        self._local = local or ProcessEngine()
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []
        self._others: list[Any] = []  # workers of studies
        self._last_status: Status = {}
        self._closed = False
        self._pool = WorkerPool(cluster.start, self.places, self._notify)
        self._watch = NodeWatch(cluster, self._on_nodes_changed)
        self._local.listen(self._notify)
        self._watch.start()

    def start(self, spec: RunSpec, instance: Instance, pictures: bool = True) -> Handle:
        if self._closed:
            raise RunFailed(_CLOSED)
        if not pictures:  # a lane of a race
            return self._local.start(spec, instance, pictures)
        gpu = may_use_gpu(spec) and any(node.alive and node.gpus for node in self._watch.nodes)
        return self._pool.run(spec, instance, gpu, pictures)

    def anticipate(self, spec: RunSpec, instance: Instance) -> None:
        """Do nothing: a prepared worker would take a place that another run may need."""

    def replay(
        self, spec: RunSpec, instance: Instance, climber: int, is_wanted: Callable[[], bool] = lambda: True
    ) -> list[bytes]:
        return self._local.replay(spec, instance, climber, is_wanted)

    def start_local_process(self, module: str) -> Process:
        return self._local.start_process(module)

    def start_process(self, module: str, environment: Mapping[str, str] | None = None) -> Process:
        with self._lock:
            if self._closed:
                raise RunFailed(_CLOSED)
            process = self._cluster.start(module, environment)
            self._others = [*(other for other in self._others if other.poll() is None), process]
        return process

    def places(self) -> int:
        return max(1, self.cores() // self._options.cores)

    def cores(self) -> int:
        return max(1, sum(node.cores for node in self._watch.nodes if node.alive))

    def status(self) -> Status:
        local, titles = self._local.status(), self.titles()
        working = [other.node for other in self._others if other.poll() is None]
        nodes = [
            {
                "name": node.name,
                "alive": node.alive,
                "cores": node.cores,
                "gpus": node.gpus,
                "devices": [device["name"] for device in self._list_node_devices(node.id)],
                "refusal": self._watch.refusals.get(node.id, ""),
                "runs": titles.get(node.id, []),
                "study": working.count(node.id),
            }
            for node in self._watch.nodes
        ]
        return {**local, "devices": self._list_all_devices(), "here": local["devices"], "nodes": nodes}

    def titles(self) -> dict[str, list[str]]:
        """Return the titles of the active runs by node id; see `WorkerPool.titles`."""
        return self._pool.titles()

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            others, self._others = self._others, []
        self._watch.close()
        self._pool.close()
        for other in others:
            other.kill()
        self._local.close()
        self._cluster.close()

    def _list_node_devices(self, node: str) -> list[dict[str, Any]]:
        """Return a node's usable devices, without MPI, whose processes belong to one worker."""
        devices = self._watch.devices.get(node, ())
        return [device for device in devices if device["available"] and device["kind"] != "mpi"]

    def _list_all_devices(self) -> list[dict[str, Any]] | None:
        """Return the devices of all nodes; None until the first node has reported."""
        devices_by_node = {
            node.id: self._watch.devices[node.id] for node in self._watch.nodes if node.id in self._watch.devices
        }
        alive = [node for node in self._watch.nodes if node.alive and devices_by_node.get(node.id)]
        if not alive:
            return None
        gpus = [
            device for node in alive if node.gpus for device in devices_by_node[node.id] if device["kind"] == "cuda"
        ]
        first = devices_by_node[alive[0].id]
        return [device for device in first if device["kind"] != "cuda"] + (
            [device for device in gpus if device["available"]] or [each for each in first if each["kind"] == "cuda"][:1]
        )

    def _on_nodes_changed(self) -> None:
        waiting = any(other.poll() is None and not other.node for other in self._others)
        self._pool.trim(waiting)
        if self.status() != self._last_status:
            self._notify()

    def _notify(self) -> None:
        self._last_status = self.status()
        for listener in self._listeners:
            listener()


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
