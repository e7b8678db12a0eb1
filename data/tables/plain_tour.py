"""Reading tours from TSPLIB tour files and from plain lists of city numbers."""

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

    A list has nothing but numbers, with blanks, commas or line breaks between them: the instance's own node numbers or,
    if 0 is among them and no node has it, cities counted from 0; then how many there are may stand in front, as
    Concorde writes it.

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
    text, told = decode(raw)
    if not _PLAIN.fullmatch(text):
        return read_tour(raw, instance, warnings)
    numbers = integers(Section("The list", text.replace(",", " "), 0))
    nodes = np.arange(1, instance.n + 1) if instance.node_ids is None else instance.node_ids
    if 0 in numbers and 0 not in nodes:
        numbers = numbers[1:] if numbers.size == instance.n + 1 and numbers[0] == instance.n else numbers
        instance = replace(instance, node_ids=np.arange(instance.n))
        told.append("The cities of the list were counted from 0.")
    warnings.extend(told)
    lines = ["TYPE: TOUR", "TOUR_SECTION", *map(str, numbers.tolist()), "-1", "EOF"]
    try:
        return read_tour("\n".join(lines).encode(), instance)
    except InvalidInstance as fault:  # its line is not one of the file
        raise InvalidInstance(fault.code, fault.sentence) from None
