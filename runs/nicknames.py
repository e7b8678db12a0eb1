"""Nicknames of visitors of a class, in memory only."""

import re
import threading
import unicodedata
from collections.abc import Callable

from runs.visitors import Visitor

#: Maximum length of a nickname, and maximum number of nicknames.
MAX_LENGTH, MAX_NAMES = 20, 10_000
#: Categories of characters that are not allowed in names: control, format, private and unassigned ones, and line ends.
_HIDDEN = ("C", "Zl", "Zp")
_MARKUP = re.compile('[<>&"`]')


class NameRefused(ValueError):
    """A visitor cannot have this name."""


class Nicknames:
    """Unique nicknames by visitor id.

    Parameters
    ----------
    on_change : callable
        Called when the host has removed a name.
    """

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change, self._lock = on_change, threading.Lock()
        self._names: dict[str, str] = {}
        self._removed: set[str] = set()
        self._unnamed: set[str] = set()  # visitors who have chosen none since the host removed their name

    def find(self, visitor: str) -> str:
        """Return a visitor's nickname; empty if none."""
        return self._names.get(visitor, "")

    def was_removed(self, visitor: str) -> bool:
        """Return whether the host removed a visitor's nickname and the visitor has chosen none since."""
        return visitor in self._unnamed

    def choose(self, visitor: Visitor, name: str, is_reserved: Callable[[str], bool]) -> str:
        """Give a visitor a nickname and return it.

        Parameters
        ----------
        visitor : Visitor
        name : str
            Cleaned before use; an empty name removes the visitor's nickname.
        is_reserved : callable
            Tells whether a name is reserved.

        Raises
        ------
        NameRefused
        """
        name = clean_name(name)
        if len(name) > MAX_LENGTH:
            raise NameRefused(f"A name has at most {MAX_LENGTH} characters.")
        with self._lock:
            others = {_fold_case(name) for owner, name in self._names.items() if owner != visitor.id}
            if _fold_case(name) in others or is_reserved(name) or len(others) >= MAX_NAMES:
                raise NameRefused("Somebody else has this name: choose another.")
            if _fold_case(name) in self._removed:
                raise NameRefused("The host has removed this name: choose another.")
            self._names.pop(visitor.id, None)
            self._unnamed.discard(visitor.id)
            if name:
                self._names[visitor.id] = name
        return name

    def remove(self, visitor: str) -> None:
        """Remove a visitor's nickname at the host's request; nobody can choose it again."""
        with self._lock:
            name = self._names.pop(visitor, "")
            if name:
                self._unnamed.add(visitor)
                if len(self._removed) < MAX_NAMES:
                    self._removed.add(_fold_case(name))
        self._on_change()


def clean_name(name: str) -> str:
    """Return a name in composed characters and single spaces, without hidden characters and markup."""
    composed = unicodedata.normalize("NFC", name)
    spaced = " ".join(composed.split())
    visible = "".join(character for character in spaced if not unicodedata.category(character).startswith(_HIDDEN))
    return " ".join(_MARKUP.sub("", visible).split())


def _fold_case(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
