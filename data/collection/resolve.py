"""Finds instances by reference: listed, uploaded or generated."""

from pathlib import Path

from data.collection import drawing
from data.collection.instance_reference import build_inline, parse
from data.collection.listing import Card, bundled_files, instance_list, load
from data.collection.optima import BUNDLED, attach_optimum, known_optima
from data.collection.uploads import load_upload, stored_bytes
from data.errors import InvalidInstance
from data.generators import directed
from data.instance import Instance
from data.places.largest import largest

__all__ = ["BUNDLED", "Card", "attach_optimum", "instance_list", "is_large", "load", "load_upload", "resolve"]

#: Limits below which `resolve` takes less than 0.1 s: number of cities generated with coordinates, number of cities
#: generated with directed distances, and size of an upload in bytes.
_MAX_QUICK_CITIES, _MAX_QUICK_DIRECTED, _MAX_QUICK_BYTES = 50_000, 1_000, 500_000


def resolve(reference: object, uploads: Path | None) -> Instance:
    """Return the instance of a run spec.

    Parameters
    ----------
    reference : object
        One of ``{"name": str}``, ``{"generate": "uniform" | "clustered" | "directed", "n": int, "seed": int}``,
        ``{"places": region, "n": int}`` (`data.places.regions`), ``{"sha256": str}``, ``{"sha256": str, "upload":
        str}`` for an upload that differs only in names from an earlier one, ``{"cities": [[x, y], ...]}`` with at most
        200 cities of kind EUC_2D, or ``{"drawn": 1, "cities": str}``, whose cities are in the text
        (`data.collection.drawing`).
    uploads : Path or None
        Folder of the uploads; None if there are none.

    Raises
    ------
    InvalidInstance
        ``REFERENCE`` for any other form; otherwise the errors of `load`, `load_upload` and the generators.
    """
    match parse(reference):
        case ("name", name):
            return load(name)
        case ("generate", (generate, n, seed)):
            return generate(n, seed)
        case ("places", (region, n)):
            return largest(region, n)
        case ("cities", cities):
            return build_inline(cities)
        case ("drawn", drawn):
            return drawing.read_drawing(drawn)
        case ("upload", stored):
            return load_upload(_require_folder(uploads), *stored)
        case (_, sha256):
            for name, row in known_optima().items():
                if row["sha256"] == sha256 and name in bundled_files():
                    return load(name)
            return load_upload(_require_folder(uploads), sha256)


def is_large(reference: object, uploads: Path) -> bool:
    """Return whether `resolve` would take long; instances in the list are cached, so they never do.

    Raises
    ------
    InvalidInstance
        ``REFERENCE``.
    """
    match parse(reference):
        case ("generate", (generate, n, _)):
            return n > (_MAX_QUICK_DIRECTED if generate is directed else _MAX_QUICK_CITIES)
        case ("upload", stored):
            return stored_bytes(uploads, *stored) > _MAX_QUICK_BYTES
        case ("sha256", sha256):
            return stored_bytes(uploads, sha256) > _MAX_QUICK_BYTES
    return False


def _require_folder(uploads: Path | None) -> Path:
    if uploads is None:
        raise InvalidInstance("UNKNOWN", "This server keeps no uploads: choose an instance from the list.")
    return uploads
