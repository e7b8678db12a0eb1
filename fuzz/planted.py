"""Readers with a known defect each: a fuzzer that finds nothing wrong with them finds nothing at all."""

import re

from data.errors import InvalidInstance
from data.instance import Instance
from data.tsplib.instances import read_checked


def doubles_dropped(raw: bytes) -> Instance:
    """A line that stands twice is read once, as by readers that keep nodes in a dictionary."""
    lines = raw.split(b"\n")
    return read_checked(b"\n".join(line for k, line in enumerate(lines) if line not in lines[:k]))


def commas_as_points(raw: bytes) -> Instance:
    """A decimal comma is taken for a point."""
    return read_checked(re.sub(rb"(?<=\d),(?=\d)", b".", raw))


def errors_let_out(raw: bytes) -> Instance:
    """An error of another kind gets out."""
    try:
        return read_checked(raw)
    except InvalidInstance as refusal:
        if refusal.code == "COUNT":
            raise IndexError(refusal.sentence) from None
        raise


PLANTED = (doubles_dropped, commas_as_points, errors_let_out)
