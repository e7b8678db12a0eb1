"""The nodes of a Ray cluster."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Node:
    """A machine of the cluster.

    Attributes
    ----------
    id : str
        Ray's id of the node.
    name : str
        The name with which the node was started, otherwise its address; if several are the same, with a number.
    alive : bool
    cores, gpus : int
        Number of cores and of GPUs that Ray may assign to workers.
    """

    id: str
    name: str
    alive: bool
    cores: int
    gpus: int


def parse_nodes(rows: Iterable[Mapping[str, Any]]) -> tuple[Node, ...]:
    """Return the nodes that can run workers, live nodes first, with distinct names.

    Parameters
    ----------
    rows : iterable of mapping
        What `ray.nodes` returns. A dead node is left out if another node of the same name is alive.
    """
    living: list[Node] = []
    dead: list[Node] = []
    for row in sorted(rows, key=lambda each: (str(each.get("NodeName")), str(each["NodeID"]))):
        resources = row.get("Resources") or {}
        name = str(row.get("NodeName") or row.get("NodeManagerAddress"))
        node = Node(row["NodeID"], name, bool(row["Alive"]), int(resources.get("CPU", 0)), _count_gpus(resources))
        (living if node.alive else dead).append(node)
    names: dict[str, int] = {}
    nodes = []
    for node in (node for node in living if node.cores or node.gpus):
        names[node.name] = count = names.get(node.name, 0) + 1
        nodes.append(node if count == 1 else Node(node.id, f"{node.name} ({count})", True, node.cores, node.gpus))
    lost_nodes = {node.name: node for node in dead if node.name not in {node.name for node in living}}
    return (*nodes, *lost_nodes.values())


def _count_gpus(resources: Mapping[str, Any]) -> int:
    return int(resources.get("GPU", 0))
