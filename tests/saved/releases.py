"""The files of each release that introduced new saved data: ``files/NAME``, made by `make`."""

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

FILES = Path(__file__).parent / "files"
RELEASES = sorted(path.name for path in FILES.iterdir() if path.is_dir())
#: Version of the specs of each release.
SPECS = {"4133440": 1, "1.1.0": 2}
#: Whose files differ most from those of today.
OLDEST = min(SPECS, key=SPECS.__getitem__)


def read_answers(release: str, *parts: str) -> Any:
    """A release's answers: a JSON file in its folder, by its name without ``.gz``."""
    path = FILES.joinpath(release, *parts)
    return json.loads(gzip.decompress(path.with_name(f"{path.name}.gz").read_bytes()))


def write(path: Path, value: Any) -> None:
    """Store a release's answers as compact, compressed JSON, independent of the time."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def unpack(release: str, source: str, target: Path) -> Path:
    """A release's file, as its users have it."""
    target.write_bytes(gzip.decompress((FILES / release / f"{source}.gz").read_bytes()))
    return target


def release_files(folder: str) -> list[tuple[str, str]]:
    """Yield every release with the name of each file that users keep in a folder."""
    paths = [(release, path) for release in RELEASES for path in sorted((FILES / release / folder).glob("*.gz"))]
    return [
        (release, path.name.split(".")[0]) for release, path in paths if not path.name.endswith(("-wal.gz", ".json.gz"))
    ]


def release_cases(table: str, *parts: str) -> list[Any]:
    """The rows of a table for every release, each with its release, as test parameters."""
    found = []
    for release in RELEASES:
        rows = read_answers(release, table)
        for part in parts:
            rows = rows[part]
        found += [(release, row) for row in (rows.items() if isinstance(rows, dict) else rows)]
    return found


def data_folder(release: str, home: Path) -> dict[str, Any]:
    """Unpack a release's data folder, and return the release's answers about it."""
    with zipfile.ZipFile(FILES / release / "home.zip") as archive:
        archive.extractall(home)
    return read_answers(release, "home.json")
