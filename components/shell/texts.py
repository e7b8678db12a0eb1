"""The page's texts: a catalogue a page in ``assets/texts/``, which the scripts read as well.

A module says ``from components.shell.texts import race as text``, and then ``text("setup.start")``: the text in the
language of the request. So a text is asked for while something is made, not while a module is imported: constants of
texts are made by `runs.language.per_language`.
"""

import re
from collections.abc import Callable

from components.shell.catalogues import current_texts
from components.shell.numbers import integer

#: The place of a value in a text.
NAME = re.compile(r"\{(\w+)\}")


def _text(texts: dict[str, str], key: str, /, **values: str | float) -> str:
    """A text of the catalogue, with values in place of ``{names}``.

    Parameters
    ----------
    texts : dict
    key : str
    **values : str or number
        Numbers are written as whole ones, grouped. Where `count` is 1 and there is the key with ``.one`` at its end,
        that is the text.

    Raises
    ------
    KeyError
        If there is no such text, or one of its values is missing.
    TypeError
        If a value is neither a text nor a number.
    """
    one = f"{key}.one"
    text = texts[one] if values.get("count") == 1 and one in texts else texts[key]
    return NAME.sub(lambda found: _written(values[found[1]]), text)


def _written(value: str | float) -> str:
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
