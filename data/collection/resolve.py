"""Finding instances: the instance list, stored uploads, and the references of run specifications."""

from pathlib import Path

from data.collection import drawing
from data.collection.instance_reference import inline_cities, parse
from data.collection.listing import Card, bundled_files, instance_list, load
from data.collection.optima import BUNDLED, attach_optimum, known_optima
from data.collection.uploads import load_upload
from data.errors import InvalidInstance
from data.instance import Instance
from data.places.largest import largest

__all__ = ["BUNDLED", "Card", "attach_optimum", "instance_list", "load", "load_upload", "resolve"]


def resolve(reference: object, uploads: Path | None) -> Instance:
    """The instance that a run specification refers to.

    Parameters
    ----------
    reference : object
        Exactly one of ``{"name": str}``, ``{"generate": "uniform" | "clustered" | "directed", "n": int, "seed": int}``,
        ``{"places": region, "n": int}`` (`data.places.regions`), ``{"sha256": str}``, for an upload of other names than
        an earlier one of that hash ``{"sha256": str, "upload": str}``,
        ``{"cities": [[x, y], ...]}`` with at most 200 cities, measured by EUC_2D, and
        ``{"drawn": 1, "cities": str}``, whose cities are in the text (`data.collection.drawing`).
    uploads : Path or None
        Folder of the uploads; None if there are none.

    Raises
    ------
    InvalidInstance
        ``REFERENCE`` for any other form, else as `load`, `load_upload` and the generators raise.
    """
    match parse(reference):
        case ("name", name):
            return load(name)
        case ("generate", (generate, n, seed)):
            return generate(n, seed)
        case ("places", (region, n)):
            return largest(region, n)
        case ("cities", cities):
            return inline_cities(cities)
        case ("drawn", drawn):
            return drawing.read(drawn)
        case ("upload", stored):
            return load_upload(_folder(uploads), *stored)
        case (_, sha256):
            for name, row in known_optima().items():
                if row["sha256"] == sha256 and name in bundled_files():
                    return load(name)
            return load_upload(_folder(uploads), sha256)


def _folder(uploads: Path | None) -> Path:
    if uploads is None:
        raise InvalidInstance("UNKNOWN", "This server keeps no uploads: choose an instance from the list.")
    return uploads
