"""Reads the faults in `rows.toml`."""

import tomllib
from pathlib import Path
from typing import NamedTuple


class Mutation(NamedTuple):
    """A fault; `rows.toml` describes its fields."""

    path: str
    old: str
    new: str
    effect: str
    tests: str
    browser: str = ""


MUTATIONS = [
    Mutation(**row) for row in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["mutations"]
]
