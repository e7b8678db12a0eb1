"""Reads the instances of a study file."""

from data.collection.optima import attach_optimum
from data.instance import Instance
from data.limits import MAX_BYTES
from data.tsplib import instances as tsplib_instances


def parse_instance(text: bytes) -> Instance:
    """Parse an instance of a study file, and add what is known about its tours."""
    return attach_optimum(tsplib_instances.read(text, "uploaded", 2 * MAX_BYTES))
