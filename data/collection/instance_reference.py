"""Parses and validates references to instances in run specs."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from data.errors import InvalidInstance
from data.generators import GENERATORS
from data.instance import Instance
from data.places.largest import parse_reference
from data.tsplib.normal_form import assemble

#: Maximum number of cities listed in a reference.
MAX_INLINE = 200
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
_UPLOAD = re.compile(r"[0-9a-f]{16}", re.ASCII)
_GENERATED = re.compile(rf"({'|'.join(GENERATORS)}):(\d{{1,8}}):(\d{{1,19}})", re.ASCII)


def _refuse(sentence: str) -> InvalidInstance:
    return InvalidInstance("REFERENCE", sentence)


def parse(reference: object) -> tuple[str, Any]:
    """Return a reference's form (name, generate, places, sha256, upload, cities or drawn) and validated content.

    Raises
    ------
    InvalidInstance
        ``REFERENCE``.
    """
    if not isinstance(reference, dict):
        raise _refuse("An instance is referred to by an object with name, generate, places, sha256, cities or drawn.")
    if "drawn" in reference:
        return "drawn", reference
    parsers: dict[frozenset[str], tuple[str, Callable[[dict], Any]]] = {
        frozenset({"name"}): ("name", lambda source: _parse_name(source["name"])),
        frozenset({"generate", "n", "seed"}): ("generate", _parse_generate),
        frozenset({"places", "n"}): ("places", _parse_places),
        frozenset({"sha256"}): ("sha256", lambda source: check_sha256(source["sha256"])),
        frozenset({"sha256", "upload"}): ("upload", _parse_upload),
        frozenset({"cities"}): ("cities", lambda source: _parse_cities(source["cities"])),
    }
    parser = parsers.get(frozenset(reference))
    if parser is None:
        raise _refuse(
            "An instance is referred to by exactly one of name, generate with n and seed, places with n, "
            "sha256, cities, or drawn."
        )
    form, content = parser
    value = content(reference)
    if form == "name" and (generated := parse_generated(value)):
        return parse(generated)  # a short form typed in a link
    return form, value


def parse_generated(text: str) -> dict[str, Any] | None:
    """Convert a short form such as ``uniform:N:SEED`` or ``places:REGION:N`` to a reference.

    Return None for any other text.
    """
    match = _GENERATED.fullmatch(text)
    return {"generate": match[1], "n": int(match[2]), "seed": int(match[3])} if match else parse_reference(text)


def check_sha256(value: object) -> str:
    """Validate a SHA-256 in 64 lower-case digits, so that it is safe in a path.

    Raises
    ------
    InvalidInstance
        ``REFERENCE``.
    """
    if not isinstance(value, str) or not _SHA256.fullmatch(value):
        raise _refuse("sha256 must be 64 hexadecimal digits in lower case.")
    return value


def build_inline(cities: list[list[float]]) -> Instance:
    """Return the EUC_2D instance of the cities listed in a reference.

    Raises
    ------
    InvalidInstance
        ``RANGE``.
    """
    coordinates = np.array(cities, np.float64) + 0.0
    return assemble(f"{len(cities)} cities", "EUC_2D", "inline", coordinates=coordinates)


def _parse_name(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise _refuse("name must be a text.")
    return value


def _parse_generate(reference: dict) -> tuple[Callable[[int, int], Instance], int, int]:
    word, n, seed = reference["generate"], reference["n"], reference["seed"]
    if not isinstance(word, str) or word not in GENERATORS:
        raise _refuse(f"generate must be one of {', '.join(GENERATORS)}.")
    # bool is an int in Python, but not in JSON.
    if type(n) is not int or type(seed) is not int:
        raise _refuse("n and seed must be integers.")
    return GENERATORS[word], n, seed


def _parse_upload(reference: dict) -> tuple[str, str]:
    if not isinstance(reference["upload"], str) or not _UPLOAD.fullmatch(reference["upload"]):
        raise _refuse("upload must be 16 hexadecimal digits in lower case.")
    return check_sha256(reference["sha256"]), reference["upload"]


def _parse_places(reference: dict) -> tuple[str, int]:
    region, n = reference["places"], reference["n"]
    if not isinstance(region, str) or type(n) is not int:
        raise _refuse("places must be a text, and n an integer.")
    return region, n


def _parse_cities(value: object) -> list[list[float]]:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_INLINE:
        raise _refuse(f"cities must be a list of 1 to {MAX_INLINE} pairs [x, y].")
    for city in value:
        pair = isinstance(city, list | tuple) and len(city) == 2
        # Neither infinity nor NaN is below 1e300.
        if not pair or not all(type(x) in (int, float) and abs(x) < 1e300 for x in city):
            raise _refuse("Each of the cities must be a pair [x, y] of finite numbers.")
    return value
