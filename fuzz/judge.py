"""The property of the reader that both fuzzers check for every file."""

import time
from collections.abc import Callable

from data.errors import InvalidInstance
from data.instance import Instance
from data.tsplib.instances import read_checked, write
from fuzz.plain_reader import plain_read

#: Maximum time in seconds to read a small file; a thousand times the usual duration, to allow for busy machines.
MAX_SECONDS = 2.0


class Broken(AssertionError):
    """The reader violated the property."""


def judge(raw: bytes, reader: Callable[[bytes], Instance] = read_checked) -> bool:
    """Read a file, and raise `Broken` if the reader violates the property.

    It may refuse the file with `InvalidInstance` and a short sentence. An accepted instance must be the same after
    writing and reading it again; if it was accepted without a warning, a second reader must read the same.

    Parameters
    ----------
    raw : bytes
        The file.
    reader : callable
        The reader under test.

    Returns
    -------
    bool
        Whether the file was accepted.
    """
    start = time.perf_counter()
    try:
        instance = reader(raw)
    except InvalidInstance as refusal:
        if not refusal.code.isupper() or not 0 < len(refusal.sentence) <= 200 or "\n" in str(refusal):
            raise Broken(f"a bad refusal: {refusal.code} {refusal}") from None
        return False
    except Exception as error:
        raise Broken(f"an uncaught {type(error).__name__}: {error}") from error
    finally:
        if time.perf_counter() - start > MAX_SECONDS:
            raise Broken("it took too long")
    if (reread := reader(write(instance).encode())).sha256 != instance.sha256 or write(reread) != write(instance):
        raise Broken("it is another instance when written and read again")
    if not instance.warnings:
        _compare(raw, instance)
    return True


def _compare(raw: bytes, instance: Instance) -> None:
    try:
        plain = plain_read(_text(raw))
    except (ValueError, KeyError) as error:
        raise Broken(f"accepted without a warning, but: {error}") from error
    if (plain.kind, plain.n) != (instance.kind, instance.n):
        raise Broken("another kind or number of cities")
    if instance.weights is not None:
        weights = instance.weights.tolist()
        for i, j in plain.missing:
            plain.weights[i][j] = instance.missing_weight
        if weights != plain.weights or len(plain.missing) != instance.missing * (1 if instance.directed else 2):
            raise Broken("other weights or edges")
    if instance.coordinates is not None:
        ids = range(1, instance.n + 1) if instance.node_ids is None else instance.node_ids.tolist()
        if list(plain.points) != list(ids) or list(plain.points.values()) != [
            *map(tuple, instance.coordinates.tolist())
        ]:
            raise Broken("other cities")


def _text(raw: bytes) -> str:
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16")
    return raw.decode("utf-8-sig")
