"""The language of the request that is being answered, wherever in the server that is done."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

#: The languages of the pages. The first is that in which the program is written: whatever has no translation, command
#: lines and files are in it.
LANGUAGES = ("en", "de")
DEFAULT = LANGUAGES[0]
_CURRENT = ContextVar("language", default=DEFAULT)

Value = TypeVar("Value")


def language() -> str:
    """The language of the current answer; threads that a request starts inherit it."""
    return _CURRENT.get()


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Context manager: whatever is written in it is in that language, one of `LANGUAGES`."""
    token = _CURRENT.set(name)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def per_language(make: Callable[[], Value]) -> Callable[[], Value]:
    """A constant of texts: `make` is called once for each language, when the constant is first read in it."""
    values: dict[str, Value] = {}

    def read() -> Value:
        name = language()
        if name not in values:
            values[name] = make()
        return values[name]

    return read
