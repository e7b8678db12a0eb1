"""The contents of the wheel, and that the source archive builds the same one."""

import subprocess
import tarfile
from zipfile import ZipFile

import pytest

from tests.tourscope.packages import ROOT, build

MB = 1_000_000
PROGRAM = "tourscope/_program/"
#: Kernels that were compiled here, which git ignores.
COMPILED = "solvers/compiled"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    with ZipFile(build("wheel", tmp_path_factory.mktemp("wheel"))) as archive:
        yield archive


def test_nothing_but_tourscope_is_among_the_names_of_an_environment(wheel):
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"tourscope"}


def test_the_wheel_is_small(wheel):
    assert sum(file.compress_size for file in wheel.infolist()) < 12 * MB


def test_the_wheel_has_all_of_the_program_and_nothing_else(wheel):
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


@pytest.mark.long
def test_the_archive_of_the_sources_builds_the_same_wheel(wheel, tmp_path):
    with tarfile.open(build("sdist", tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path / "sources", filter="data")
    (sources,) = (tmp_path / "sources").iterdir()
    with ZipFile(build("wheel", tmp_path / "wheel", sources)) as again:
        assert contents(again) == contents(wheel)
