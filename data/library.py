"""Finding instances: the bundled shelf, the user's folder, kept uploads, and the references of run specifications.

The folder is the one that the environment variable ``TOURSCOPE_DATA`` names. A path is only ever made of a file that
was listed or of a hash that was checked, never of a name that somebody sent.
"""

import difflib
import json
import logging
import os
import tempfile
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from data import tsplib
from data.errors import InvalidInstance
from data.head import head
from data.instance import Instance
from data.limits import MAX_BYTES
from data.reference import inline_cities, parse, sha256_of
from data.text import decode, inflate
from data.tokens import tokenize

__all__ = ["Card", "attach_optimum", "load", "load_sha", "resolve", "shelf", "store"]

BUNDLED = Path(__file__).parent / "instances"
FOLDER_VARIABLE = "TOURSCOPE_DATA"
# Comments of any length that a person writes fit in front of the first section.
_HEAD_BYTES = 65_536
# A normal form can be a little longer than the upload it was made of: short exponents are written out.
_STORED_BYTES = 2 * MAX_BYTES
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Card:
    """What the shelf shows of an instance, from its header alone.

    Attributes
    ----------
    name : str
        What `load` takes: the file's name without its ending.
    n : int
    kind : str
        One of `data.instance.KINDS`.
    optimum : int or None
        By name and n; `load` gives it only if the numbers are those it belongs to.
    proven : bool
    has_optimal_tour : bool
    source : str
        ``bundled`` or ``folder``.
    """

    name: str
    n: int
    kind: str
    optimum: int | None
    proven: bool
    has_optimal_tour: bool
    source: str


def shelf() -> list[Card]:
    """Cards of the bundled instances and of those in the folder, each by number of cities.

    A file of the folder that is damaged, or named like a bundled instance, is left out with a logged warning.
    """
    cards: list[Card] = []
    for source, paths in (("bundled", _bundled()), ("folder", _folder())):
        found = (_card(path, *_stamp(path), source) for path in paths.values())
        cards += sorted((card for card in found if card), key=lambda card: (card.n, card.name))
    return cards


def load(name: str) -> Instance:
    """An instance of the shelf, by the name on its card.

    Raises
    ------
    InvalidInstance
        ``UNKNOWN``, with the nearest names, or what is wrong with the file.
    """
    for source, paths in (("bundled", _bundled()), ("folder", _folder())):
        if path := paths.get(name):
            return _load(path, *_stamp(path), source)
    names = [*_bundled(), *_folder()]
    near = difflib.get_close_matches(name[:100], names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)[:100]}?" if near else "choose one from the shelf."
    raise InvalidInstance("UNKNOWN", f"No instance has the name {name[:30]!a}; {hint}")


def load_sha(sha256: str, folder: Path) -> Instance:
    """An upload that `store` kept in `folder`.

    Raises
    ------
    InvalidInstance
        ``REFERENCE`` for what is no hash, ``UNKNOWN`` where the folder lacks it, ``DAMAGED`` where the file has
        changed.
    """
    path = folder / f"{sha256_of(sha256)}.tsp"
    if not path.is_file():
        raise InvalidInstance("UNKNOWN", "This server does not have that instance: send its file.")
    instance = tsplib.read(_bytes(path, _STORED_BYTES), "uploaded", _STORED_BYTES)
    if instance.sha256 != sha256:
        raise InvalidInstance("DAMAGED", "The kept file of this instance has changed: send the file again.")
    return attach_optimum(instance)


def store(instance: Instance, folder: Path) -> Path:
    """Keep an instance in `folder` as ``<sha256>.tsp``, whole or not at all.

    Returns
    -------
    Path
        Of the file; one that is there already is left as it is.
    """
    path = folder / f"{sha256_of(instance.sha256)}.tsp"
    if path.is_file():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("wb", dir=folder, suffix=".part", delete=False) as part:
        try:
            part.write(tsplib.write(instance).encode())
            part.flush()
            os.fsync(part.fileno())
        except BaseException:
            part.close()
            os.unlink(part.name)
            raise
    os.replace(part.name, path)
    return path


def resolve(reference: object, uploads: Path | None) -> Instance:
    """The instance that a run specification refers to.

    Parameters
    ----------
    reference : object
        Exactly one of ``{"name": str}``, ``{"generate": "uniform" | "clustered", "n": int, "seed": int}``,
        ``{"sha256": str}`` and ``{"cities": [[x, y], ...]}`` with at most 200 cities, measured by EUC_2D.
    uploads : Path or None
        Where uploads are kept.

    Raises
    ------
    InvalidInstance
        ``REFERENCE`` for any other form, else as `load`, `load_sha` and the generators raise.
    """
    match parse(reference):
        case ("name", name):
            return load(name)
        case ("generate", (generate, n, seed)):
            return generate(n, seed)
        case ("cities", cities):
            return inline_cities(cities)
        case (_, sha256):
            for name, row in _optima().items():
                if row["sha256"] == sha256 and name in _bundled():
                    return load(name)
            if uploads is None:
                raise InvalidInstance("UNKNOWN", "This server keeps no uploads: choose an instance from the shelf.")
            return load_sha(sha256, uploads)


def attach_optimum(instance: Instance) -> Instance:
    """The instance with its optimum and optimal tour, where its numbers are those of a known one.

    The name plays no part: a file that is called berlin52 and holds other cities has no known optimum.
    """
    for name, row in _optima().items():
        if row["sha256"] == instance.sha256:
            path = BUNDLED / f"{name}.opt.tour"
            tour = tsplib.read_tour(path.read_bytes(), instance) if path.is_file() else None
            return replace(instance, optimum=row["optimum"], proven=row["proven"], optimal_tour=tour)
    if instance.name in _optima():
        note = "The numbers are not those of TSPLIB's instance of this name: its optimum is not shown."
        return replace(instance, warnings=(*instance.warnings, note))
    return instance


@lru_cache(maxsize=1)
def _optima() -> dict[str, dict]:
    return json.loads((BUNDLED.parent / "optima.json").read_text(encoding="ascii"))


@lru_cache(maxsize=1)
def _bundled() -> dict[str, Path]:
    return {path.stem: path for path in sorted(BUNDLED.glob("*.tsp"))}


def _folder() -> dict[str, Path]:
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder or not Path(folder).is_dir():
        return {}
    paths: dict[str, Path] = {}
    for path in sorted(Path(folder).iterdir()):
        name = path.name.removesuffix(".gz").removesuffix(".tsp")
        if path.name not in (f"{name}.tsp", f"{name}.tsp.gz") or not path.is_file():
            continue
        if name in _bundled() or name in paths:
            _warn_once(str(path), "another instance has its name")
        else:
            paths[name] = path
    return paths


@lru_cache(maxsize=1024)
def _warn_once(path: str, reason: str) -> None:
    _log.warning("%s is left out: %s", Path(path).name, reason)


def _stamp(path: Path) -> tuple[int, int]:
    """What changes when a file does: its time and size, the caches' keys."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=1024)
def _card(path: Path, mtime_ns: int, size: int, source: str) -> Card | None:
    name = path.name.removesuffix(".gz").removesuffix(".tsp")
    try:
        with path.open("rb") as file:
            raw = file.read(_HEAD_BYTES)
        text, notes = decode(inflate(raw, _HEAD_BYTES, prefix=True))
        found = head(tokenize(text, notes, head_only=True))
    except (InvalidInstance, OSError) as error:
        _warn_once(str(path), error.sentence if isinstance(error, InvalidInstance) else "it cannot be read")
        return None
    row = _optima().get(name, {})
    known = row.get("n") == found.n
    has_tour = source == "bundled" and (BUNDLED / f"{name}.opt.tour").is_file()
    optimum = row["optimum"] if known else None
    return Card(name, found.n, found.kind, optimum, bool(known and row["proven"]), has_tour, source)


@lru_cache(maxsize=16)
def _load(path: Path, mtime_ns: int, size: int, source: str) -> Instance:
    name = path.name.removesuffix(".gz").removesuffix(".tsp")
    return attach_optimum(replace(tsplib.read(_bytes(path, MAX_BYTES), source), name=name))


def _bytes(path: Path, limit: int) -> bytes:
    """A file's bytes, one more than the limit at most: enough for the reader to refuse it."""
    try:
        with path.open("rb") as file:
            return file.read(limit + 1)
    except OSError:
        raise InvalidInstance("UNREADABLE", "The instance's file cannot be read: ask who runs this server.") from None
