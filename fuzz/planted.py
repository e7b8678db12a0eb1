"""Readers with one known defect each, which the fuzzers must find."""

import re

from data.errors import InvalidInstance
from data.instance import Instance
from data.tsplib.instances import read_checked


def read_without_repeats(raw: bytes) -> Instance:
    """Ignores repeated lines, like readers that store nodes in a dictionary."""
    lines = raw.split(b"\n")
    return read_checked(b"\n".join(line for k, line in enumerate(lines) if line not in lines[:k]))


def read_commas_as_points(raw: bytes) -> Instance:
    """Reads decimal commas as points."""
    return read_checked(re.sub(rb"(?<=\d),(?=\d)", b".", raw))


def raise_other_error(raw: bytes) -> Instance:
    """Raises an error of another type."""
    try:
        return read_checked(raw)
    except InvalidInstance as refusal:
        if refusal.code == "COUNT":
            raise IndexError(refusal.sentence) from None
        raise


PLANTED = (read_without_repeats, read_commas_as_points, raise_other_error)
