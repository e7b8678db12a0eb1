"""Reads an untrusted file, or makes a large instance: ``python -m runs.imports.file WHAT FOLDER``.

Runs in a process of its own, with little memory and time (`runs.imports.sandbox`). WHAT is one of `READERS`; FOLDER
holds the file as ``upload`` and the reader's other arguments as a JSON object ``given``, and receives the reader's
output. If the file is refused, the JSON of `InvalidInstance`'s arguments is printed to standard output.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from data import recognition
from data.collection import resolve, uploads
from data.distance_kinds import adjust, refine
from data.errors import InvalidInstance
from data.instance import Instance
from data.tables import plain_tour, table
from data.tsplib.normal_form import check_size
from runs.imports.sandbox import CPU_SECONDS, REFUSED, limit
from solvers.worker.frames import decode, decode_instance, encode, encode_instance_frame


def instance(folder: Path, name: str) -> None:
    """Save an instance in normal form as ``<sha256>.tsp``, with its frame; `name` is the file's name."""
    _save(recognition.read(_upload(folder), name), folder)


def columns(folder: Path, name: str, x: int, y: int, kind: str) -> None:
    """Save two columns of a table as an instance."""
    _save(table.read(_upload(folder), x, y, kind, name), folder)


def peek(folder: Path) -> None:
    """Save a table's list of columns as ``table``."""
    (folder / "table").write_text(json.dumps(asdict(table.peek(_upload(folder)))))


def tour(folder: Path) -> None:
    """Save a tour as the frame ``tour``; its instance's frame is in the folder."""
    warnings: list[str] = []
    order = plain_tour.read(_upload(folder), decode_instance(decode((folder / "frame").read_bytes())), warnings)
    (folder / "tour").write_bytes(encode("tour", {"warnings": warnings}, {"order": order}))


def picture(folder: Path, name: str, **options: Any) -> None:
    """Save a picture's cities as an instance."""
    # Imported here: SciPy and Pillow are slow to import.
    from data.pictures.cities import picture_cities

    _save(picture_cities(_upload(folder), name, **options), folder)


def stored(folder: Path, reference: dict[str, Any], uploads: str) -> None:
    """Save the frame of an instance that the server can make or has stored."""
    (folder / "frame").write_bytes(encode_instance_frame(resolve.resolve(reference, Path(uploads))))


def changed(folder: Path, reference: dict[str, Any], uploads: str, is_refined: bool = False, **changes: Any) -> None:
    """Save a changed copy of an instance: with finer distances, or with `changes` applied by `adjust`."""
    instance = resolve.resolve(reference, Path(uploads))
    check_size(instance.kind, instance.n)
    _save(refine(instance) if is_refined else adjust(instance, None, None, **changes), folder)


def written(folder: Path) -> None:
    """Save the instance whose frame is in the folder."""
    uploads.write(decode_instance(decode((folder / "frame").read_bytes())), folder)


READERS: dict[str, Callable[..., None]] = {
    "instance": instance,
    "columns": columns,
    "peek": peek,
    "tour": tour,
    "picture": picture,
    "stored": stored,
    "changed": changed,
    "written": written,
}
#: Processor time in seconds for readers that may take longer than the default.
_LONG = {"picture": 90}


def _upload(folder: Path) -> bytes:
    return (folder / "upload").read_bytes()


def _save(instance: Instance, folder: Path) -> None:
    uploads.write(instance, folder)
    (folder / "frame").write_bytes(encode_instance_frame(instance))


def main() -> int:
    """Read the file given by the arguments."""
    reader, folder = sys.argv[1], Path(sys.argv[2])
    limit(_LONG.get(reader, CPU_SECONDS))
    try:
        READERS[reader](folder, **json.loads((folder / "given").read_bytes()))
    except InvalidInstance as refusal:
        fields = ("code", "sentence", "line", "column")
        sys.stdout.write(json.dumps({name: getattr(refusal, name) for name in fields}))
        return REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(main())
