"""The installed package, beside other packages with the names of the program's folders."""

import json
import os
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.clock import PATIENCE, is_within_bound, measure_fastest, wait_until
from tests.tourscope.packages import build

#: Names that others may have taken.
TAKEN = ("data", "runs", "solvers")


def install_others(site: Path) -> None:
    """Install third-party packages."""
    for name in TAKEN:
        (site / name).mkdir()
        (site / name / "__init__.py").write_text('WHOSE = "another"\n')


def environment(home: Path, **more: str) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**inherited, "TOURSCOPE_HOME": str(home), **more}


@contextmanager
def serving(command: list[str], folder: Path, variables: dict[str, str]):
    """Run a command that serves until the end of the block; yields the printed address."""
    with subprocess.Popen(command, cwd=folder, env=variables, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()


def get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        return answer.read().decode()


def browser(folder: Path) -> str:
    """A program that replaces the browser and records the address."""
    script = folder / "browser.py"
    script.write_text("import pathlib, sys\npathlib.Path(sys.argv[1]).write_text(sys.argv[2])\n")
    return f"{sys.executable} {script} {folder / 'opened'} %s"


@pytest.fixture(scope="module")
def site(tmp_path_factory, wheel_file):
    """A folder of packages with this one, unpacked, and those of others."""
    folder = tmp_path_factory.mktemp("site")
    with ZipFile(wheel_file) as archive:
        archive.extractall(folder)
    install_others(folder)
    return folder


@pytest.mark.long
def test_run_beside_packages_and_files_of_the_same_names(site, tmp_path):
    (tmp_path / "data.py").write_text('raise SystemExit("this file was imported")\n')
    command = [sys.executable, "-P", "-m", "tourscope", "run", "berlin52", "nearest-neighbour", "--json"]
    variables = environment(tmp_path, PYTHONPATH=str(site))
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["optimum"] == 7542


@pytest.mark.slow
def test_other_packages_keep_their_names(site, tmp_path):
    code = f"import tourscope, {', '.join(TAKEN)}; print({', '.join(f'{name}.WHOSE' for name in TAKEN)})"
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=environment(tmp_path, PYTHONPATH=str(site)), capture_output=True)
    assert done.stdout.decode().split() == ["another"] * len(TAKEN)


@pytest.mark.slow
def test_python_interface_beside_packages_of_the_same_names(site, tmp_path):
    code = (
        "import data, runs, tourscope as ts; print(ts.solve('berlin52', ts.Greedy()).optimum, data.WHOSE, runs.WHOSE)"
    )
    command = [sys.executable, "-P", "-c", code]
    variables = environment(tmp_path, PYTHONPATH=str(site))
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert done.stdout.split() == ["7542", "another", "another"], done.stderr


@pytest.mark.slow
def test_import_takes_less_than_a_third_of_a_second(site, tmp_path):
    code = "import time; began = time.process_time(); import tourscope; print(time.process_time() - began)"
    command, variables = [sys.executable, "-P", "-c", code], environment(tmp_path, PYTHONPATH=str(site))

    def take() -> float:
        return float(subprocess.check_output(command, cwd=tmp_path, env=variables, text=True))

    take()  # writes what Python compiles
    assert is_within_bound(
        measure_fastest(take, 0.3), 0.3
    )  # 0.25 s of an EPYC's core with much other work, of which NumPy's 0.11


@pytest.mark.slow
def test_command_line_words_match_the_command(site, tmp_path):
    command = [sys.executable, "-P", "-m", "tourscope", "data", "show", "zzz"]
    variables = environment(tmp_path, PYTHONPATH=str(site))
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert done.returncode == 2
    assert "All names: tourscope data list" in done.stderr


@pytest.mark.long
def test_race_serves_and_opens_its_page(site, tmp_path):
    variables = environment(tmp_path, PYTHONPATH=str(site), BROWSER=browser(tmp_path))
    command = [sys.executable, "-P", "-m", "tourscope", "race", "--port", "0"]
    with serving(command, tmp_path, variables) as address:
        assert "/race/_dash" in get(f"{address}race/")
        opened = tmp_path / "opened"
        wait_until(lambda: opened.exists() and opened.read_text() == f"{address}race/")


@pytest.mark.long
def test_two_commands_to_a_page(tmp_path):
    """Pip fetches all dependencies of the package into an empty environment."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    programs = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    (tmp_path / "empty").mkdir()
    wheel = build("wheel", tmp_path / "wheel")
    assert wheel.stat().st_size < 12_000_000
    subprocess.run([str(programs / "python"), "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    where = [str(programs / "python"), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    others = Path(subprocess.check_output(where, text=True).strip())
    install_others(others)
    with serving([str(programs / "tourscope"), "--port", "0"], tmp_path / "empty", environment(tmp_path)) as address:
        assert "TourScope" in get(address)
        assert json.loads(get(f"{address}healthz"))
        assert "All documents" in get(f"{address}docs/")
