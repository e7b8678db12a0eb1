"""The catalogues of texts in ``assets/texts/``: a file a page, and in a folder a language the same in that language.

What a language's catalogue has not is read in English; a test finds what is missing (``docs/languages.md``).
"""

import json
from functools import cache

from components.shell.bundle import catalogue_of
from runs.language import DEFAULT, language


def texts_of(page: str, name: str = DEFAULT) -> dict[str, str]:
    """The texts of a page by their keys, in a language; those that all pages share are ``common``."""
    return json.loads(catalogue_of(f"texts/{page}.json", name))


@cache
def _kept(page: str, name: str) -> dict[str, str]:
    return texts_of(page, name)


def spoken(page: str) -> dict[str, str]:
    """The texts of a page in the language of the request."""
    return _kept(page, language())
