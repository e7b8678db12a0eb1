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
        Ray's.
    name : str
        As it was started with, else its address; with a number behind it where several have the same.
    alive : bool
    cores, gpus : int
        That Ray may give to workers.
    """

    id: str
    name: str
    alive: bool
    cores: int
    gpus: int


def parse_nodes(rows: Iterable[Mapping[str, Any]]) -> tuple[Node, ...]:
    """The nodes that can have workers, the living first, each name once.

    Parameters
    ----------
    rows : iterable of mapping
        What `ray.nodes` returns. A node that has died is left out once another of its name lives.
    """
    living: list[Node] = []
    dead: list[Node] = []
    for each in sorted(rows, key=lambda each: (str(each.get("NodeName")), str(each["NodeID"]))):
        resources = each.get("Resources") or {}
        name = str(each.get("NodeName") or each.get("NodeManagerAddress"))
        node = Node(each["NodeID"], name, bool(each["Alive"]), int(resources.get("CPU", 0)), _gpus(resources))
        (living if node.alive else dead).append(node)
    names: dict[str, int] = {}
    found = []
    for node in (node for node in living if node.cores or node.gpus):
        names[node.name] = count = names.get(node.name, 0) + 1
        found.append(node if count == 1 else Node(node.id, f"{node.name} ({count})", True, node.cores, node.gpus))
    gone = {node.name: node for node in dead if node.name not in {each.name for each in living}}
    return (*found, *gone.values())


def _gpus(resources: Mapping[str, Any]) -> int:
    return int(resources.get("GPU", 0))
