"""The race file: a zip of a race's spec and its lanes' run files, written and read by separate processes."""

import json
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from data import plain_json
from data.moments import check_moment
from runs.computing.answer import Answer, download_headers
from runs.imports import MAX_RUN_BYTES
from runs.imports.untrusted_files import InvalidUpload, check
from runs.races.spec import MAX_LANES, RaceSpec
from runs.store.open_run import open_run
from runs.store.summary import summarise
from solvers.core.errors import DeviceUnavailable

FORMAT = 1
SUFFIX = ".tourrace"
MANIFEST = "race.json"


def make_lane_name(number: int) -> str:
    """Return the name of a lane's run file in the zip."""
    return f"lane-{number + 1}.tourscope"


#: Names allowed in a race file.
NAMES = (MANIFEST, *(make_lane_name(number) for number in range(MAX_LANES)))
#: Maximum size of the unpacked contents in bytes.
MAX_BYTES = MAX_RUN_BYTES


def pack_race(race: dict[str, Any], runs: Sequence[str]) -> Answer:
    """Pack a race, given as JSON, and its lanes' current run files into a race file.

    Raises
    ------
    NoSuchRun
    """
    spec = RaceSpec.from_json(race["spec"], stored=True)
    with open_run(Path(runs[0])) as reader:
        name = summarise(reader)["instance"]["name"]

    def write(target: Path) -> None:
        manifest = {"format": FORMAT, "created": race["created"], "alone": race["alone"], "spec": spec.to_json()}
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr(MANIFEST, json.dumps(manifest))
            for number, run in enumerate(runs):
                with tempfile.TemporaryDirectory(dir=target.parent) as folder, open_run(Path(run)) as reader:
                    reader.backup(copy := Path(folder) / "copy")
                    archive.write(copy, make_lane_name(number))

    return Answer(write, "application/zip", download_headers(name, "race", suffix=SUFFIX))


def read(source: Path, adopt: Callable[[Path], None]) -> tuple[RaceSpec, bool]:
    """Unpack a race file in a sandbox process, and pass on its runs in lane order.

    Parameters
    ----------
    source : Path
        The upload, alone in a folder that the caller removes.
    adopt : callable
        Called with each run file, alone in its folder as `ImportService.adopt_run` requires.

    Returns
    -------
    tuple of RaceSpec and bool
        The race, and whether the file says that the machine was otherwise idle.

    Raises
    ------
    InvalidUpload
    """
    check("race", "runs.races.unpack", source, str(source.parent))
    manifest = plain_json.loads((source.parent / MANIFEST).read_bytes())
    spec = read_spec(manifest)
    for number in range(len(spec.lanes)):
        with tempfile.TemporaryDirectory(dir=source.parent.parent) as folder:
            upload = Path(folder) / "upload"
            (source.parent / make_lane_name(number)).rename(upload)
            adopt(upload)
    return spec, manifest.get("alone") is True


def read_spec(manifest: Any) -> RaceSpec:
    """Return the race in a manifest.

    Raises
    ------
    InvalidUpload
    """
    version = manifest.get("format") if isinstance(manifest, dict) else None
    if version != FORMAT:
        raise InvalidUpload(f"This race file has format {version!r:.20}, and this release reads {FORMAT}.")
    try:
        check_moment(manifest.get("created"))
        return RaceSpec.from_json(manifest.get("spec"))
    except (ValueError, DeviceUnavailable) as error:
        raise InvalidUpload(f"This race file cannot be imported: {error}") from None
