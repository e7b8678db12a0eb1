"""Users' own presets: named parameters of an algorithm, each preset in a small JSON file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

import orjson

from data.errors import InvalidInstance
from data.files import EVERYBODY, read_bytes, write_whole
from data.home.place import default_home
from solvers import find
from solvers.core.errors import InvalidParams
from solvers.core.params import VERSION
from solvers.core.solver import Preset

SUFFIX = ".tourpreset"
#: The folder of presets in the data folder.
FOLDER = "presets"
#: Maximum number of bytes in a file, and of characters in a name and in a source.
MAX_BYTES, MAX_NAME, _MAX_SOURCE = 64 << 10, 80, 300
_FIELDS = {"v", "preset", "algorithm", "params", "source"}


@dataclass(frozen=True, slots=True)
class OwnPreset:
    """Named parameters of an algorithm.

    Attributes
    ----------
    name : str
        The name in menus and for ``--preset``; unlike the names of papers' presets, it may contain spaces.
    algorithm : str
    params : dict
        Parameters that differ from the defaults.
    source : str
        Where the parameters come from, for example the tuning study that found them.
    """

    name: str
    algorithm: str
    params: dict[str, Any]
    source: str = ""

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """Check a decoded JSON value and return the preset.

        Raises
        ------
        InvalidParams
            If the value is not a preset, or its algorithm is unknown, or a parameter is invalid.
        """
        if not isinstance(value, Mapping) or not {"preset", "algorithm", "params"} <= set(value) <= _FIELDS:
            raise InvalidParams("preset", "", "an object with 'preset', 'algorithm' and 'params'")
        params, version = value["params"], value.get("v", VERSION)
        if not isinstance(params, Mapping) or version not in range(1, VERSION + 1):
            raise InvalidParams("preset", value["preset"], f"an object of parameters of version 1 to {VERSION}")
        solver = find(value["algorithm"])
        current = solver.params.renamed(params, version)
        solver.params.from_mapping(current)
        name, source = value["preset"], value.get("source", "")
        return cls(
            _check_line("preset", name, MAX_NAME),
            solver.name,
            dict(current),
            _check_line("source", source, _MAX_SOURCE),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the preset as JSON, the inverse of `from_json`."""
        return {
            "v": VERSION,
            "preset": self.name,
            "algorithm": self.algorithm,
            "params": self.params,
            "source": self.source,
        }

    @property
    def listed(self) -> Preset:
        """The preset in the same form as built-in presets."""
        return Preset(self.name, self.name, self.params, self.source)


class StoredPreset(NamedTuple):
    """A preset in a folder, and its id: the file's name without extension."""

    id: str
    preset: OwnPreset


def _check_line(name: str, value: Any, maximum: int) -> str:
    """Check that a line of text is safe to show, and return it; only a source may be empty."""
    empty = name == "preset" and isinstance(value, str) and not value.strip()
    if not isinstance(value, str) or len(value) > maximum or (value and not value.isprintable()) or empty:
        raise InvalidParams(name, value, f"a line of at most {maximum} characters")
    return value.strip()


def parse(content: bytes) -> OwnPreset:
    """Parse the content of a preset's file.

    Raises
    ------
    InvalidParams
    """
    try:
        value = orjson.loads(content[: MAX_BYTES + 1])
    except orjson.JSONDecodeError:
        raise InvalidParams("preset", "", f"a {SUFFIX} file, which is JSON of at most {MAX_BYTES >> 10} KiB") from None
    return OwnPreset.from_json(value)


def read(path: Path) -> OwnPreset:
    """Read a preset's file.

    Raises
    ------
    InvalidParams
    """
    try:
        return parse(read_bytes(path, MAX_BYTES))
    except InvalidInstance as error:
        raise InvalidParams("preset", path.name, f"a {SUFFIX} file that can be read: {error}") from None


def write(path: Path, preset: OwnPreset) -> None:
    """Write a preset's file atomically.

    Raises
    ------
    OSError
    """
    write_whole(path, orjson.dumps(preset.to_json(), option=orjson.OPT_INDENT_2) + b"\n", EVERYBODY)


def read_if_readable(path: Path) -> OwnPreset | None:
    """Read a preset's file; return None if it is unreadable."""
    try:
        return read(path)
    except InvalidParams:
        return None


def list_presets(
    algorithm: str, folder: Path | None = None, is_seen: Callable[[str], bool] = lambda _: True
) -> list[StoredPreset]:
    """Return an algorithm's presets in a folder, sorted by name, without unreadable ones.

    Parameters
    ----------
    algorithm : str
    folder : Path, optional
        The folder; by default `FOLDER` in the data folder.
    is_seen : callable, optional
        Says whether the preset with an id is wanted; other files are not read.
    """
    presets = []
    for path in (folder or default_home() / FOLDER).glob(f"*{SUFFIX}"):
        identifier = path.name.removesuffix(SUFFIX)
        if is_seen(identifier) and (preset := read_if_readable(path)) is not None and preset.algorithm == algorithm:
            presets.append(StoredPreset(identifier, preset))
    return sorted(presets, key=lambda each: each.preset.name.casefold())
