"""Validation of study files, which may be untrusted."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import orjson

from data.errors import InvalidInstance
from data.limits import MAX_BYTES, MAX_OWN_CITIES
from solvers.core.errors import InvalidParams
from studies.errors import InvalidStudy
from studies.spec.spec import StudySpec

#: Fields read from a result, with their types.
_RESULT: dict[str, tuple[type, ...]] = {
    "length": (int,), "seconds": (float, int), "seconds_to_best": (float, int), "compile_seconds": (float, int),
    "evaluations": (int,), "iterations": (int,), "threads": (int,), "proven": (bool,), "stop_reason": (str,),
    "device": (str,), "versions": (dict,),
}  # fmt: skip
#: Maximum length of a text, and upper bound on the numbers in a result.
_MAX_CHARACTERS, _MAX_NUMBER = 1000, 2**62
#: Maximum size of a decompressed instance in bytes.
_MAX_INSTANCE_BYTES = 2 * MAX_BYTES


@contextmanager
def as_invalid_study(name: str) -> Iterator[None]:
    """Context manager: turn any error in a file's content into an `InvalidStudy`.

    Raises
    ------
    InvalidStudy
    """
    try:
        yield
    except InvalidStudy:
        raise
    except (InvalidParams, InvalidInstance) as error:
        raise InvalidStudy(f"{name} is damaged: {error}") from error
    except sqlite3.OperationalError as error:
        raise InvalidStudy(f"{name} cannot be read: {error}.") from error
    except (sqlite3.Error, zlib.error, ValueError, TypeError, KeyError, OverflowError) as error:
        raise InvalidStudy(f"{name} is damaged: its content is not that of a study.") from error


def parse_result(text: Any) -> dict[str, Any]:
    """Parse a run's result and check its fields.

    Raises
    ------
    ValueError, TypeError
        If the result is invalid.
    """
    fields = orjson.loads(text)
    for name, types in _RESULT.items():
        value = fields[name] if isinstance(fields, dict) and name in fields else None
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise ValueError(f"A result has no {name}.")
        if isinstance(value, str) and (len(value) > _MAX_CHARACTERS or not value.isprintable()):
            raise ValueError(f"The {name} of a result is invalid.")
        if isinstance(value, int | float) and not 0 <= value < _MAX_NUMBER:
            raise ValueError(f"The {name} of a result is out of range.")
    _check_measured(fields.get("measured", {}))
    return fields


def _check_measured(measured: Any) -> None:
    """Check a run's additional measurements, which files of earlier releases lack.

    Raises
    ------
    ValueError
    """
    if not isinstance(measured, dict):
        raise ValueError("What a run measured is invalid.")
    for name in ("variant", "no_energy"):
        text = measured.get(name, "")
        if not isinstance(text, str) or len(text) > _MAX_CHARACTERS or not text.isprintable():
            raise ValueError(f"The {name} of a run is invalid.")
    for name in ("joules", "memory"):
        value = measured.get(name)
        number = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _MAX_NUMBER
        if value is not None and not number:
            raise ValueError(f"The {name} of a run is out of range.")


def locate_cells(spec: StudySpec, numbers: np.ndarray) -> np.ndarray:
    """Return instance, entry and seed of cells by number, (3, c); see `studies.spec.matrix.list_cells`.

    Raises
    ------
    ValueError
        If the study has no such cell.
    """
    instances, entries = len(spec.instances), len(spec.entries)
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < instances * entries * spec.seeds.count:
        raise ValueError("The study has no such cell.")
    seed, place = np.divmod(numbers, instances * entries)
    return np.stack([place // entries, place % entries, seed + spec.seeds.first])


def check_instance(name: Any, n: Any, optimum: Any, sha256: Any) -> None:
    """Check an instance's fields.

    Raises
    ------
    ValueError
    """
    if not all(
        isinstance(text, str) and len(text) <= _MAX_CHARACTERS and text.isprintable() for text in (name, sha256)
    ):
        raise ValueError("The name or hash of an instance is invalid.")
    if not isinstance(n, int) or not 1 <= n <= MAX_OWN_CITIES:
        raise ValueError("The size of an instance is invalid.")
    if optimum is not None and (not isinstance(optimum, int) or not 0 <= optimum < _MAX_NUMBER):
        raise ValueError("The optimum of an instance is invalid.")


def decompress(data: Any) -> bytes:
    """Decompress an instance's text.

    Raises
    ------
    ValueError, TypeError, zlib.error
        If the text is larger than any valid instance, or truncated.
    """
    stream = zlib.decompressobj()
    text = stream.decompress(data, _MAX_INSTANCE_BYTES)
    if not stream.eof:
        raise ValueError("An instance is too large, or truncated.")
    return text


def parse_tour(blob: Any, n: int) -> np.ndarray:
    """Parse a tour of n cities.

    Raises
    ------
    ValueError, TypeError
        If the tour is not a permutation of the cities.
    """
    tour = np.frombuffer(blob, "<i4")
    if tour.size != n or not np.array_equal(np.sort(tour), np.arange(n)):
        raise ValueError("A tour is not a permutation of the cities.")
    return tour


def reduce_to_line(text: Any) -> str:
    """Reduce text to a printable line of at most 1,000 characters."""
    printable = "".join(character if character.isprintable() else " " for character in str(text)[: 4 * _MAX_CHARACTERS])
    return " ".join(printable.split())[:_MAX_CHARACTERS]
