"""The catalogues of texts in ``assets/texts/``: a file a page, and in a folder a language the same in that language.

What a language's catalogue has not is read in English; a test finds what is missing (``docs/languages.md``).
"""

import json
from functools import cache

from components.shell.bundle import load_catalogue
from runs.language import DEFAULT, language


def load_texts(page: str, name: str = DEFAULT) -> dict[str, str]:
    """The texts of a page by their keys, in a language; those that all pages share are ``common``."""
    return json.loads(load_catalogue(f"texts/{page}.json", name))


@cache
def _cached_texts(page: str, name: str) -> dict[str, str]:
    return load_texts(page, name)


def current_texts(page: str) -> dict[str, str]:
    """The texts of a page in the language of the request."""
    return _cached_texts(page, language())
