"""Joins a Ray cluster and starts workers on it."""

import contextlib
import importlib.util
import json
import os
import re
import signal
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from data.command_line import format_install_command
from solvers.user_files.solver_file import VARIABLE as SOLVERS_VARIABLE
from solvers.worker.process import ROOT
from solvers.worker.ray import worker_actor
from solvers.worker.ray.nodes import Node, parse_nodes
from solvers.worker.ray.options import LOCAL, ClusterOptions, ClusterRefused, check_open, check_token
from solvers.worker.ray.process import RayProcess

#: The oldest supported release of Ray: the first one that requires a token by default.
_MIN_VERSION = (2, 60)
_MISSING = f"--engine ray needs the package ray, 2.60 or newer: {format_install_command('ray')}."
#: Concurrency groups for `worker_actor.WorkerActor`'s methods; each allows one call at a time.
_GROUPS = {"output": "output", "errors": "errors", "write": "input"}
#: Ray's variable that, set to "0", lets a cluster of one machine listen only on loopback, on every system.
_ON_LOOPBACK = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
#: Settings for every connection: neither workers' output nor Ray's messages go to this program's log.
_QUIET: dict[str, Any] = {"log_to_driver": False, "configure_logging": False}


class Cluster:
    """The only connection of this process to a Ray cluster.

    Parameters
    ----------
    options : ClusterOptions

    Raises
    ------
    ClusterRefused
        If Ray is not installed, there is no such cluster, or the cluster is open to others.
    """

    def __init__(self, options: ClusterOptions) -> None:
        local = options.address == LOCAL
        if local:  # reachable only from this machine; otherwise Ray would use the machine's own address in any case
            os.environ.setdefault(_ON_LOOPBACK, "0")
        self._ray = ray = _import_ray()
        if not local and options.address != "auto":
            check_open(options.address)
        check_token()
        place: dict[str, Any] = {"address": options.address}
        if local:  # Ray generates a token for it
            place |= {"_node_ip_address": "127.0.0.1", "include_dashboard": False}
        try:
            with _keep_signals():
                ray.init(**place, **_QUIET)
        except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise ClusterRefused(
                f"There is no Ray cluster at {options.address:.80} with this token: {reason:.300}"
            ) from error
        try:
            check_open(ray.get_runtime_context().gcs_address)
        except ClusterRefused:
            ray.shutdown()
            raise
        self.options = options
        self._expected = worker_actor.fingerprint(ROOT)
        self._host = self._actor_class()
        self._names: dict[str, str] = {}

    def start(self, module: str, environment: Mapping[str, str] | None = None) -> RayProcess:
        """Start a worker that runs ``main()`` of `module` on a node with room; do not wait for it.

        Parameters
        ----------
        module : str
        environment : mapping, optional
            The worker's environment variables. ``NUMBA_NUM_THREADS`` is the number of cores that the worker uses. If
            ``CUDA_VISIBLE_DEVICES`` is set and not empty, it uses a GPU, which Ray chooses.
        """
        variables = {"NUMBA_NUM_THREADS": str(self.options.cores), "CUDA_VISIBLE_DEVICES": "", **(environment or {})}
        cores, gpu = int(variables["NUMBA_NUM_THREADS"]), bool(variables["CUDA_VISIBLE_DEVICES"])
        if gpu:
            del variables["CUDA_VISIBLE_DEVICES"]
        if files := os.environ.get(SOLVERS_VARIABLE):
            variables[SOLVERS_VARIABLE] = files

        def launch() -> tuple[Any, Any]:
            actor = self._host.options(num_cpus=cores, num_gpus=int(gpu)).remote()
            return actor, actor.begin.remote(str(ROOT), self._expected, module, variables, "")

        return RayProcess(self._ray, launch, self._name)

    def nodes(self) -> tuple[Node, ...]:
        """Return the nodes that can run workers, including those that were lost."""
        cluster_nodes = parse_nodes(self._ray.nodes())
        self._names |= {node.id: node.name for node in cluster_nodes if node.alive}
        return cluster_nodes

    def devices(self, node: Node) -> "Devices":
        """Request a node's devices; see `Devices.answer`."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        task = self._ray.remote(num_cpus=0, max_retries=0)(worker_actor.node_devices)
        pinned = task.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False))
        return Devices(self._ray, pinned.remote(str(ROOT), self._expected))

    def close(self) -> None:
        """End all workers and leave the cluster."""
        self._ray.shutdown()

    def _name(self, node: str) -> str:
        if node not in self._names:
            self.nodes()
        return self._names.get(node, node[:8])

    def _actor_class(self) -> Any:
        ray = self._ray
        ray.cloudpickle.register_pickle_by_value(worker_actor)
        stream = {"num_returns": "streaming", "_generator_backpressure_num_objects": worker_actor.PIECES_AHEAD}
        for name, group in _GROUPS.items():
            settings = {"concurrency_group": group, **({} if name == "write" else stream)}
            ray.method(**settings)(getattr(worker_actor.WorkerActor, name))
        groups = dict.fromkeys(_GROUPS.values(), 1)
        actor = ray.remote(concurrency_groups=groups, scheduling_strategy="SPREAD", max_restarts=0)
        return actor(worker_actor.WorkerActor)


class Devices:
    """A pending request for a node's devices."""

    def __init__(self, ray: Any, pending: Any) -> None:
        self._ray, self._asked = ray, pending

    def answer(self) -> tuple[list[dict[str, Any]], str] | None:
        """Return the node's devices as JSON, and why the node is refused; None while there is no answer."""
        if not self._ray.wait([self._asked], timeout=0)[0]:
            return None
        try:
            answer, refusal = self._ray.get(self._asked)
        except self._ray.exceptions.RayError as error:
            return [], str(error).partition("\n")[0]
        return json.loads(answer), refusal


@contextlib.contextmanager
def _keep_signals() -> Iterator[None]:
    """Restore this program's SIGTERM handler after the context, since Ray replaces it."""
    ours = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGTERM)
    yield
    if ours:
        signal.signal(signal.SIGTERM, handler)


def _import_ray() -> Any:
    """Import the package ray; see `_MISSING`."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics
    os.environ.setdefault(
        "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0"
    )  # `Cluster.start` decides whether a worker sees GPUs
    if importlib.util.find_spec("ray") is None:
        raise ClusterRefused(_MISSING)
    import ray

    if tuple(map(int, re.findall(r"\d+", ray.__version__)[:2])) < _MIN_VERSION:
        raise ClusterRefused(f"{_MISSING[:-1]} (ray {ray.__version__} is installed).")
    return ray
