"""The language of the current request, available everywhere in the server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

#: The languages of the pages. The first is the language of the source, which is also used for command lines, files and
#: whatever lacks a translation.
LANGUAGES = ("en", "de")
DEFAULT = LANGUAGES[0]
_CURRENT = ContextVar("language", default=DEFAULT)

Value = TypeVar("Value")


def current_language() -> str:
    """Return the language of the current response; threads started by a request inherit it."""
    return _CURRENT.get()


@contextmanager
def use_language(name: str) -> Iterator[None]:
    """Context manager that sets the language of responses to one of `LANGUAGES`."""
    token = _CURRENT.set(name)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def per_language(make: Callable[[], Value]) -> Callable[[], Value]:
    """Define a text constant per language; `make` is called on the first read in each language."""
    values: dict[str, Value] = {}

    def read() -> Value:
        name = current_language()
        if name not in values:
            values[name] = make()
        return values[name]

    return read
