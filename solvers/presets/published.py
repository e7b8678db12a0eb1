"""Presets from papers and older releases, read from ``published.json``."""

import json
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from solvers.core import sources
from solvers.core.solver import Preset

#: Citations that several presets share, escaped for JSON.
_CITATIONS = {name: json.dumps(text)[1:-1] for name, text in vars(sources).items() if name.isupper()}


def list_published_presets(algorithm: str) -> tuple[Preset, ...]:
    """Return the published presets of an algorithm."""
    return tuple(Preset(**preset) for preset in _load()[algorithm])


@cache
def _load() -> dict[str, list[dict[str, Any]]]:
    text = Path(__file__).with_suffix(".json").read_text("utf-8")
    return json.loads(Template(text).substitute(_CITATIONS))
