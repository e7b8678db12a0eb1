"""A Ray cluster with several nodes on this machine, protected by a token."""

import contextlib
import os
import secrets
from collections.abc import Iterator
from typing import Any

from solvers.worker.ray.connection import Cluster
from solvers.worker.ray.options import MODE, TOKEN, ClusterOptions

_STORE = 80 << 20


class Nodes:
    """Nodes of the cluster, with their numbers of cores.

    Parameters
    ----------
    cluster : ray.cluster_utils.Cluster
    """

    def __init__(self, cluster: Any) -> None:
        self._cluster = cluster
        self.address: str = cluster.address

    def kill(self, node: str) -> None:
        """Kill the node with this id as if its machine lost power."""
        for each in self._cluster.worker_nodes:
            if each.node_id == node:
                self._cluster.remove_node(each, allow_graceful=False)
                return
        raise LookupError(node)

    def add(self, name: str, cores: int = 1, gpus: int = 0) -> str:
        """Add a node; return its id."""
        resources = {"num_cpus": cores, "num_gpus": gpus, "object_store_memory": _STORE}
        return self._cluster.add_node(node_name=name, **resources).node_id


@contextlib.contextmanager
def start_nodes(count: int, cores: int = 1, gpus: int = 0) -> Iterator[Nodes]:
    """Context manager: a head without cores, and nodes with `cores` and `gpus`, named node-1, node-2, ..."""
    os.environ.setdefault(MODE, TOKEN)
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(16))
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    from ray.cluster_utils import Cluster as Machines

    head = {"num_cpus": 0, "object_store_memory": _STORE, "include_dashboard": False}
    machines = Machines(initialize_head=True, head_node_args=head)
    try:
        nodes = Nodes(machines)
        for number in range(1, count + 1):
            nodes.add(f"node-{number}", cores, gpus)
        yield nodes
    finally:
        machines.shutdown()


@contextlib.contextmanager
def connect(nodes: Nodes) -> Iterator[tuple[Cluster, ClusterOptions]]:
    """Context manager: a connection to the nodes."""
    options = ClusterOptions(nodes.address)
    with contextlib.closing(Cluster(options)) as cluster:
        yield cluster, options
