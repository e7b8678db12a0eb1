"""Catalogues of texts in ``assets/texts/``: a file per page, and a folder per language with the same files.

Texts missing in a language fall back to English; a test lists them (``docs/languages.md``).
"""

import json
from functools import cache

from components.shell.bundle import load_catalogue
from runs.language import DEFAULT, current_language


def load_texts(page: str, name: str = DEFAULT) -> dict[str, str]:
    """Load a page's texts in a language, by key; ``common`` is for the texts that all pages share."""
    return json.loads(load_catalogue(f"texts/{page}.json", name))


@cache
def _cached_texts(page: str, name: str) -> dict[str, str]:
    return load_texts(page, name)


def current_texts(page: str) -> dict[str, str]:
    """Return a page's texts in the request's language."""
    return _cached_texts(page, current_language())
