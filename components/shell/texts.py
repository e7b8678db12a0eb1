"""The pages' texts: a catalogue per page in ``assets/texts/``, read by scripts too.

A module imports ``race as text`` from here and calls ``text("setup.start")`` for the text in the language of the
request. So texts must be looked up during a request, not on import; `runs.language.per_language` makes constants of
texts.
"""

import re
from collections.abc import Callable
from html import escape

from components.shell.catalogues import current_texts
from components.shell.numbers import format_integer

#: Placeholder of a value in a text.
NAME = re.compile(r"\{(\w+)\}")
_PLACE = re.compile(r"\{([\w.]+)\}")


def _format_text(texts: dict[str, str], key: str, /, **values: str | float) -> str:
    """Format a catalogue text, with values for ``{names}``.

    Parameters
    ----------
    texts : dict
    key : str
    **values : str or number
        Numbers are formatted as whole ones with grouping. If `count` is 1 and a key with the suffix ``.one`` exists,
        its text is used.

    Raises
    ------
    KeyError
        If the text or one of its values is missing.
    TypeError
        If a value is neither a string nor a number.
    """
    one = f"{key}.one"
    text = texts[one] if values.get("count") == 1 and one in texts else texts[key]
    return NAME.sub(lambda match: _format_value(values[match[1]]), text)


def _format_value(value: str | float) -> str:
    return value if isinstance(value, str) else format_integer(value)


def fill_template(template: str, read: Callable[[str], str], **values: str) -> str:
    """Fill a template's ``{name}`` with a value, which is HTML, or else with the text that `read` returns."""
    return _PLACE.sub(lambda match: values[match[1]] if match[1] in values else escape(read(match[1])), template)


def _make_reader(page: str) -> Callable[..., str]:
    def read(key: str, /, **values: str | float) -> str:
        return _format_text(current_texts(page), key, **values)

    return read


common = _make_reader("common")
instances = _make_reader("instances")
watch = _make_reader("watch")
race = _make_reader("race")
study = _make_reader("study")
library = _make_reader("library")
papers = _make_reader("papers")
how = _make_reader("how")
learn = _make_reader("learn")
classroom = _make_reader("classroom")
embed = _make_reader("embed")
site = _make_reader("site")
