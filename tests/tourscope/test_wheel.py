"""The contents of the wheel, and that the source archive builds the same wheel."""

import subprocess
import tarfile
from zipfile import ZipFile

import pytest

from tests.test_licences import rows
from tests.tourscope.packages import ROOT, build

MB = 1_000_000
PROGRAM = "tourscope/_program/"
#: Kernels that were compiled here, which git ignores.
COMPILED = "solvers/compiled"


@pytest.fixture(scope="module")
def wheel(wheel_file):
    with ZipFile(wheel_file) as archive:
        yield archive


def test_only_tourscope_is_added_to_an_environments_names(wheel):
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"tourscope"}


def test_the_wheel_is_small(wheel):
    assert sum(file.compress_size for file in wheel.infolist()) < 12 * MB


def test_wheel_has_the_whole_program_and_nothing_else(wheel):
    folders = (
        "assets",
        "benchmarks",
        "commands",
        "components",
        "data",
        "docs",
        "exports",
        "papers",
        "runs",
        "solvers",
        "studies",
    )
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "app.py", *folders],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\n")[:-1]  # fmt: skip
    inside = {name.removeprefix(PROGRAM) for name in wheel.namelist() if name.startswith(PROGRAM)}
    inside = {name for name in inside if not name.startswith(COMPILED)}
    assert inside == {name for name in tracked if (ROOT / name).is_file()}


def contents(wheel: ZipFile) -> dict[str, int]:
    """The checksums of everything that does not depend on locally compiled kernels."""
    files = (file for file in wheel.infolist() if not file.filename.endswith(("/RECORD", "/WHEEL")))
    return {file.filename: file.CRC for file in files if not file.filename.startswith(PROGRAM + COMPILED)}


def test_the_command_is_declared(wheel):
    (points,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "tourscope = tourscope.command:main" in wheel.read(points).decode()


def test_it_takes_the_licences_along(wheel):
    (place,) = {name.partition("/licenses/")[0] for name in wheel.namelist() if "/licenses/" in name}
    for text in ("LICENSE", *(text for *_, text in rows())):
        assert wheel.read(f"{place}/licenses/{text}") == (ROOT / text).read_bytes()
        assert text == "LICENSE" or f"{PROGRAM}{text}" in wheel.namelist()


@pytest.mark.long
def test_source_archive_builds_the_same_wheel(wheel, tmp_path):
    with tarfile.open(build("sdist", tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path / "sources", filter="data")
    (sources,) = (tmp_path / "sources").iterdir()
    with ZipFile(build("wheel", tmp_path / "wheel", sources)) as again:
        assert contents(again) == contents(wheel)
