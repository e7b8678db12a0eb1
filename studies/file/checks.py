"""What a study file that anybody may have written must be, before it is believed."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import orjson

from data.errors import InvalidInstance
from data.limits import MAX_BYTES, MAX_CITIES
from solvers.errors import InvalidParams
from studies.errors import InvalidStudy
from studies.spec.spec import StudySpec

#: What a result holds that is read from it, and of which type.
_RESULT: dict[str, tuple[type, ...]] = {
    "length": (int,), "seconds": (float, int), "seconds_to_best": (float, int), "compile_seconds": (float, int),
    "evaluations": (int,), "iterations": (int,), "threads": (int,), "proven": (bool,), "stop_reason": (str,),
    "device": (str,), "versions": (dict,),
}  # fmt: skip
#: Characters of a text at most, and what no number of a result is above.
_LONGEST, _MOST = 1000, 2**62
#: Bytes of an instance at most, unpacked.
_MOST_TEXT = 2 * MAX_BYTES


@contextmanager
def sound(name: str) -> Iterator[None]:
    """Tell whatever goes wrong with what a file holds in one sentence.

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
        raise InvalidStudy(f"{name} is damaged: what it holds is no study's.") from error


def result_of(text: Any) -> dict[str, Any]:
    """A run's result, with all that is read from it.

    Raises
    ------
    ValueError, TypeError
        If it is none.
    """
    found = orjson.loads(text)
    for name, kinds in _RESULT.items():
        value = found[name] if isinstance(found, dict) and name in found else None
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise ValueError(f"A result has no {name}.")
        if isinstance(value, str) and (len(value) > _LONGEST or not value.isprintable()):
            raise ValueError(f"The {name} of a result is none.")
        if isinstance(value, int | float) and not 0 <= value < _MOST:
            raise ValueError(f"The {name} of a result is out of all range.")
    return found


def places(spec: StudySpec, numbers: np.ndarray) -> np.ndarray:
    """Instance, entry and seed of cells by their numbers, shape (3, c): see `studies.spec.matrix.cells`.

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
    """See whether this can be an instance.

    Raises
    ------
    ValueError
    """
    if not all(isinstance(text, str) and len(text) <= _LONGEST and text.isprintable() for text in (name, sha256)):
        raise ValueError("The name of an instance is none.")
    if not isinstance(n, int) or not 1 <= n <= MAX_CITIES:
        raise ValueError("The size of an instance is none.")
    if optimum is not None and (not isinstance(optimum, int) or not 0 <= optimum < _MOST):
        raise ValueError("The optimum of an instance is none.")


def unpacked(packed: Any) -> bytes:
    """An instance's text, which may not be larger than any instance is.

    Raises
    ------
    ValueError, TypeError, zlib.error
        If it is, or is cut.
    """
    stream = zlib.decompressobj()
    text = stream.decompress(packed, _MOST_TEXT)
    if not stream.eof:
        raise ValueError("An instance is too large, or cut.")
    return text


def tour_of(blob: Any, n: int) -> np.ndarray:
    """A tour of n cities.

    Raises
    ------
    ValueError, TypeError
        If it is none.
    """
    tour = np.frombuffer(blob, "<i4")
    if tour.size != n or not np.array_equal(np.sort(tour), np.arange(n)):
        raise ValueError("A tour is none.")
    return tour


def plain(text: Any) -> str:
    """A sentence that can be shown anywhere: one line, of no more characters than anybody reads."""
    shown = "".join(character if character.isprintable() else " " for character in str(text)[: 4 * _LONGEST])
    return " ".join(shown.split())[:_LONGEST]
