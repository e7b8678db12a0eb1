"""Unpack an untrusted race file: ``python -m runs.races.unpack FILE FOLDER``.

Runs in a process of its own, with little memory and time (`runs.imports.sandbox`). Of the zip's own metadata only names
are read, and only those that a race file has; sizes are counted while unpacking. FOLDER receives the contents.
"""

import sys
import zipfile
from pathlib import Path
from typing import IO

from data import plain_json
from runs.imports.sandbox import do_limited
from runs.races.file import MANIFEST, MAX_BYTES, NAMES, lane_name
from runs.races.spec import FEWEST, MOST

_MOST_MANIFEST = 1 << 20
_PART = 1 << 20


class _Unfit(ValueError):
    """The file is not a race's; the message gives the reason."""


def unpack(source: Path, folder: Path) -> None:
    """Write the members to the folder.

    Raises
    ------
    _Unfit, zipfile.BadZipFile, and others of a damaged file
    """
    with zipfile.ZipFile(source) as packed:
        names = packed.namelist()
        if len(set(names)) != len(names) or set(names) - set(NAMES) or MANIFEST not in names:
            raise _Unfit("it holds what no race file has.")
        left = MAX_BYTES
        for name in names:
            with packed.open(name) as member:
                left -= _copy(member, folder / name, min(left, _MOST_MANIFEST) if name == MANIFEST else left)
    _check_lanes(folder, len(names) - 1)


def _copy(member: IO[bytes], target: Path, most: int) -> int:
    size = 0
    with target.open("xb") as file:
        while part := member.read(_PART):
            size += len(part)
            if size > most:
                raise _Unfit("it is larger than what is taken, once unpacked.")
            file.write(part)
    return size


def _check_lanes(folder: Path, count: int) -> None:
    """Check that there are exactly as many runs as the race has lanes."""
    manifest = plain_json.loads((folder / MANIFEST).read_bytes())
    lanes = manifest["spec"]["lanes"]
    if not FEWEST <= count <= MOST or len(lanes) != count:
        raise _Unfit("its lanes are not all there.")
    if not all((folder / lane_name(number)).is_file() for number in range(count)):
        raise _Unfit("its lanes are not all there.")


def main() -> int:
    """Unpack the file given by the arguments."""
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    return do_limited("race", lambda: unpack(source, folder), (_Unfit,), "it is damaged, or no race file.")


if __name__ == "__main__":
    sys.exit(main())
