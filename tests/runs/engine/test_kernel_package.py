"""A wheel with compiled kernels: built, unpacked, and used without compiling anything."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from solvers import BUILT_IN
from tests.tourscope.packages import ROOT, build

pytestmark = pytest.mark.long

MB = 1_000_000
#: Of few cities all algorithms, and the one whose kernels are others for many.
RUNS = [f"gr17 {solver.name}" for solver in BUILT_IN if solver.kernel_cities]
RUNS += [f"{instance} lin-kernighan" for instance in ("kroA200", "pr1002", "uniform:9000:1")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of a copy of this checkout, in which kernels were built."""
    source = tmp_path_factory.mktemp("checkout") / "source"
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".*", "node_modules", "__pycache__", "compiled*", "dist")
    )
    done = subprocess.run(
        [sys.executable, "-m", "tourscope", "kernels", "build"], cwd=source, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return build("wheel", tmp_path_factory.mktemp("wheel"), source)


def test_wheel_is_for_this_python_and_small(wheel):
    assert f"-cp{sys.version_info.major}{sys.version_info.minor}-none-" in wheel.name
    assert wheel.stat().st_size < 25 * MB


def test_every_algorithm_runs_without_compiling_anything(wheel, tmp_path):
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
    cache = tmp_path / "cache"
    variables = {**inherited, "PYTHONPATH": str(tmp_path / "site"), "TOURSCOPE_CACHE": str(cache)}
    for line in RUNS:
        command = [sys.executable, "-P", "-m", "tourscope", "run", *line.split(), "--time", "1", "--json"]
        done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["length"] > 0
        assert not list(Path(cache).rglob("*.nbc")), line
