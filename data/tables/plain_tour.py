"""Reads tours from TSPLIB tour files and from plain lists of city numbers."""

import re
from dataclasses import replace

import numpy as np

from data.errors import InvalidInstance
from data.instance import Instance
from data.tsplib.numerals import integers
from data.tsplib.text import decode
from data.tsplib.tokens import Section
from data.tsplib.tours import read_tour

_PLAIN = re.compile(r"[0-9 ,\t\n]+")


def read(raw: bytes, instance: Instance, warnings: list[str]) -> np.ndarray:
    """Read a tour of an instance.

    A list has only numbers, separated by blanks, commas or line breaks: the instance's own node numbers or, if it has a
    0 and no node has that number, cities counted from 0. In that case the number of cities may come first, as Concorde
    writes it.

    Parameters
    ----------
    raw : bytes
        Plain, or a single gzip stream.
    instance : Instance
    warnings : list of str
        Warnings are appended to it.

    Returns
    -------
    ndarray, shape (n,), int32
        Indices of cities from 0.

    Raises
    ------
    InvalidInstance
        As `data.tsplib.tours.read_tour`.
    """
    text, notes = decode(raw)
    if not _PLAIN.fullmatch(text):
        return read_tour(raw, instance, warnings)
    numbers = integers(Section("The list", text.replace(",", " "), 0))
    nodes = np.arange(1, instance.n + 1) if instance.node_ids is None else instance.node_ids
    if 0 in numbers and 0 not in nodes:
        numbers = numbers[1:] if numbers.size == instance.n + 1 and numbers[0] == instance.n else numbers
        instance = replace(instance, node_ids=np.arange(instance.n))
        notes.append("The cities of the list were counted from 0.")
    warnings.extend(notes)
    lines = ["TYPE: TOUR", "TOUR_SECTION", *map(str, numbers.tolist()), "-1", "EOF"]
    try:
        return read_tour("\n".join(lines).encode(), instance)
    except InvalidInstance as fault:  # without its line, which is not one of the file
        raise InvalidInstance(fault.code, fault.sentence) from None
