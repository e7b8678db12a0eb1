"""Messages about an unknown name: the likely intended one, and the available ones."""

import difflib
from collections.abc import Iterable

#: Most names that a sentence lists.
_MOST_LISTED = 30
#: How alike two names must be, from 0 to 1, and short ones, which often are by chance; and how much less than the most
#: alike another one may be.
_ALIKE, _SHORT_ALIKE, _NEARLY = 0.54, 0.7, 0.08


def unknown(what: str, name: object, known: Iterable[str], more: Iterable[str] = ()) -> str:
    """One sentence or two: ``Unknown algorithm "twoopt"; did you mean two-opt? The algorithms are ...``.

    Parameters
    ----------
    what : str
        What kind of name it is, singular.
    name : object
        The unknown one.
    known : iterable of str
        The names that there are; too many are not listed.
    more : iterable of str
        Names that may be meant as well, but are not listed.
    """
    names = list(known)
    message = f"Unknown {what} {quote_name(name)}"
    listed = f"he {what}s are {join_names(names)}." if 1 < len(names) <= _MOST_LISTED else ""
    if likely := similar(name, [*names, *more]):
        sentence = f"{message}; did you mean {join_names(likely, 'or')}?"
        return f"{sentence} T{listed}" if listed else sentence
    return f"{message}; t{listed}" if listed else f"{message}."


def similar(name: object, known: Iterable[str]) -> list[str]:
    """The names that are most like one, upper case or lower; at most three."""
    spelt = {each.casefold().lstrip("-"): each for each in known}  # all options are alike in their dashes
    typed = str(name)[:100].casefold().lstrip("-")
    near = difflib.get_close_matches(typed, spelt, n=3, cutoff=_ALIKE if len(typed) > 3 else _SHORT_ALIKE)
    ratios = [difflib.SequenceMatcher(None, each, typed).ratio() for each in near]
    return [spelt[each] for each, ratio in zip(near, ratios, strict=True) if ratio >= ratios[0] - _NEARLY]


def join_names(names: list[str], last: str = "and") -> str:
    """Names in a sentence: a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def quote_name(name: object) -> str:
    """A name in quotes, cut, with unprintable characters escaped."""
    return '"' + "".join(each if each.isprintable() else ascii(each)[1:-1] for each in str(name)[:80]) + '"'
