"""Unpacks an untrusted race file: ``python -m runs.races.unpack FILE FOLDER``.

Runs in a process of its own with little memory and time (`runs.imports.sandbox`). Of the zip's metadata it reads only
the names, which must be those of a race file; it counts sizes while unpacking. FOLDER receives the contents.
"""

import sys
import zipfile
from pathlib import Path
from typing import IO

from data import plain_json
from runs.imports.sandbox import run_limited
from runs.races.file import MANIFEST, MAX_BYTES, NAMES, make_lane_name
from runs.races.spec import MAX_LANES, MIN_LANES

_MAX_MANIFEST = 1 << 20
_PART = 1 << 20


class _InvalidRaceFile(ValueError):
    """The file is not a race file; the message is the reason."""


def unpack(source: Path, folder: Path) -> None:
    """Write the race's files to the folder.

    Raises
    ------
    _InvalidRaceFile, zipfile.BadZipFile, and others of a damaged file
    """
    with zipfile.ZipFile(source) as archive:
        names = archive.namelist()
        if len(set(names)) != len(names) or set(names) - set(NAMES) or MANIFEST not in names:
            raise _InvalidRaceFile("it has unknown or repeated members.")
        remaining = MAX_BYTES
        for name in names:
            with archive.open(name) as member:
                remaining -= _copy(
                    member, folder / name, min(remaining, _MAX_MANIFEST) if name == MANIFEST else remaining
                )
    _check_lanes(folder, len(names) - 1)


def _copy(member: IO[bytes], target: Path, limit: int) -> int:
    size = 0
    with target.open("xb") as file:
        while part := member.read(_PART):
            size += len(part)
            if size > limit:
                raise _InvalidRaceFile("it is too large once unpacked.")
            file.write(part)
    return size


def _check_lanes(folder: Path, count: int) -> None:
    """Check that there is a run for each lane."""
    manifest = plain_json.loads((folder / MANIFEST).read_bytes())
    lanes = manifest["spec"]["lanes"]
    complete = all((folder / make_lane_name(number)).is_file() for number in range(count))
    if not MIN_LANES <= count <= MAX_LANES or len(lanes) != count or not complete:
        raise _InvalidRaceFile("it lacks some of its lanes.")


def main() -> int:
    """Unpack the file given by the arguments."""
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    return run_limited("race", lambda: unpack(source, folder), (_InvalidRaceFile,))


if __name__ == "__main__":
    sys.exit(main())
