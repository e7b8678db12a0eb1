"""The pages' texts: a catalogue per page in ``assets/texts/``, read by scripts too.

A module imports ``race as text`` from here and calls ``text("setup.start")`` for the text in the language of the
request. So texts must be looked up during a request, not on import; `runs.language.per_language` makes constants of
texts.
"""

import re
from collections.abc import Callable

from components.shell.catalogues import current_texts
from components.shell.numbers import integer

#: Placeholder of a value in a text.
NAME = re.compile(r"\{(\w+)\}")


def _text(texts: dict[str, str], key: str, /, **values: str | float) -> str:
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
    return value if isinstance(value, str) else integer(value)


def _reader(page: str) -> Callable[..., str]:
    def read(key: str, /, **values: str | float) -> str:
        return _text(current_texts(page), key, **values)

    return read


common = _reader("common")
instances = _reader("instances")
watch = _reader("watch")
race = _reader("race")
study = _reader("study")
library = _reader("library")
papers = _reader("papers")
how = _reader("how")
learn = _reader("learn")
classroom = _reader("classroom")
embed = _reader("embed")
site = _reader("site")
