"""Messages about an unknown name, with similar or all available names."""

import difflib
import re
from collections.abc import Iterable

#: Maximum number of names in a sentence.
_MAX_LISTED = 30
#: Minimum similarity of two names, from 0 to 1; minimum similarity of short names, which are often similar by chance;
#: maximum difference from the most similar name.
_ALIKE, _SHORT_ALIKE, _NEARLY = 0.54, 0.7, 0.08


def describe_unknown(what: str, name: object, known: Iterable[str], more: Iterable[str] = ()) -> str:
    """Return a message such as ``Unknown algorithm "twoopt"; did you mean two-opt? The algorithms are ...``.

    Parameters
    ----------
    what : str
        Kind of name, in the singular.
    name : object
        The unknown name.
    known : iterable of str
        Existing names; not listed if there are too many.
    more : iterable of str
        Further names to suggest, which are not listed.
    """
    names = list(known)
    message = f"Unknown {what} {quote_name(name)}"
    several = re.sub("(?<=[^aeiou])y$", "ie", what) + "s"
    available = f"he {several} are {join_names(names)}." if 1 < len(names) <= _MAX_LISTED else ""
    if likely := find_similar(name, [*names, *more]):
        sentence = f"{message}; did you mean {join_names(likely, 'or')}?"
        return f"{sentence} T{available}" if available else sentence
    return f"{message}; t{available}" if available else f"{message}."


def find_similar(name: object, known: Iterable[str]) -> list[str]:
    """Return up to three names most similar to a name, ignoring case."""
    spelt = {name.casefold().lstrip("-"): name for name in known}  # all options start with dashes
    typed = str(name)[:100].casefold().lstrip("-")
    near = difflib.get_close_matches(typed, spelt, n=3, cutoff=_ALIKE if len(typed) > 3 else _SHORT_ALIKE)
    ratios = [difflib.SequenceMatcher(None, name, typed).ratio() for name in near]
    return [spelt[each] for each, ratio in zip(near, ratios, strict=True) if ratio >= ratios[0] - _NEARLY]


def join_names(names: list[str], last: str = "and") -> str:
    """Join names in a sentence, as in "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def quote_name(name: object) -> str:
    """Quote and shorten a name, with unprintable characters escaped."""
    return (
        '"'
        + "".join(character if character.isprintable() else ascii(character)[1:-1] for character in str(name)[:80])
        + '"'
    )
