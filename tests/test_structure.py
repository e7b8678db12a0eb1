"""The allowed imports between packages, and the parts that must run without the page's packages."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.clock import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
#: Each package, and the project's packages that it may import besides itself.
ALLOWED = {
    "data": set(),
    "solvers": {"data"},
    "exports": {"data", "solvers"},
    "commands": {"data", "solvers", "exports"},
    "studies": {"data", "solvers", "commands"},
    "papers": {"data", "solvers", "commands", "benchmarks"},
    "runs": {"data", "solvers", "exports", "studies", "papers"},
    "components": {"data", "solvers", "exports", "commands", "studies", "runs", "papers"},
    "tourscope": set(),
    "benchmarks": {"data", "solvers", "studies", "runs", "papers", "tourscope"},
}
#: Files that are programs, as `app.py` is one, and what they may import besides.
PROGRAMS = {"solvers/__main__.py": {"commands", "studies", "components"}}
#: Constants alone, which kernels may read as well as drivers.
CALIBRATION = "solvers.gpu.calibration"
WEB = {"dash", "dash_ag_grid", "dash_bootstrap_components", "fastapi", "plotly", "starlette", "uvicorn"}


@cache
def find_imports(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """All imports of a file, including nested ones."""
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Import | ast.ImportFrom)]


def imported_modules(path: Path) -> set[str]:
    """The modules imported by a file, including nested imports."""
    found = set()
    for node in find_imports(path):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        else:
            assert node.level == 0, f"{path.name} imports relatively"
            found.add(node.module or "")
    return found


def packages(path: Path) -> set[str]:
    return {module.partition(".")[0] for module in imported_modules(path)}


@pytest.mark.slow
def test_imports_point_one_way():
    for package, allowed in ALLOWED.items():
        for path in (ROOT / package).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            foreign = (packages(path) & set(ALLOWED)) - allowed - PROGRAMS.get(name, set()) - {package}
            assert not foreign, f"{name} imports {foreign}"


def foreign_to_kernels(path: Path) -> set[str]:
    """A kernel's imports of project modules that are no kernels, except the location of compiled kernels."""
    own = {module for module in imported_modules(path) if module.partition(".")[0] in ALLOWED}
    own = {module for module in own if not module.startswith("data.cache.")}
    return {module for module in own - {CALIBRATION} if "kernels" not in module.split(".")}


def kernel_folders() -> list[Path]:
    return sorted(path for path in (ROOT / "solvers").rglob("kernels") if path.is_dir())


def test_kernels_know_only_kernels():
    folders = kernel_folders()
    assert len(folders) > 5
    for path in (path for folder in folders for path in folder.glob("*.py")):
        assert not foreign_to_kernels(path), f"{path.name} imports {foreign_to_kernels(path)}"


def test_all_cpu_kernels_are_in_kernel_folders():
    """Compiled kernels are outdated only if a file in these folders changes: see `solvers.kernels.cache`."""
    outside = [path for path in (ROOT / "solvers").rglob("*.py") if "kernels" not in path.parts]
    assert len(outside) > 100
    assert not [path for path in outside if "solvers.kernels.compiler" in imported_modules(path)]


def test_kernel_that_imports_a_driver_is_found(tmp_path):
    planted = tmp_path / "planted.py"
    planted.write_text("def f():\n    from solvers.algorithms.two_opt import cpu\n")
    assert foreign_to_kernels(planted) == {"solvers.algorithms.two_opt"}


#: Each of some packages is imported as if it were the first of the project.
FIRST = """
import importlib, os, sys
for package in sys.argv[1:]:
    os.environ.pop("NUMBA_CACHE_DIR", None)
    for name in [name for name in sys.modules if name.partition(".")[0] == "solvers"]:
        del sys.modules[name]
    importlib.import_module(package)
    assert os.environ.get("NUMBA_CACHE_DIR"), package
"""


def test_every_kernel_folder_states_where_compiled_kernels_are_cached():
    """Numba reads its cache folder when a kernel is created, and `solvers.kernels` has set it by then."""
    packages = [".".join(folder.relative_to(ROOT).parts) for folder in kernel_folders()]
    done = subprocess.run(
        [sys.executable, "-c", FIRST, *packages], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr


def modules(root: Path, tops: Iterable[str]) -> dict[str, Path]:
    """All modules of some packages, by their dotted names."""
    found = {}
    for path in (path for top in tops for path in (root / top).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def circle(named: dict[str, Path]) -> list[str]:
    """Import cycles, including imports within functions and for types; empty if there are none."""
    imports: dict[str, set[str]] = {}
    for name, path in named.items():
        imports[name] = set()
        for node in find_imports(path):
            if isinstance(node, ast.ImportFrom):
                whole = {f"{node.module}.{each.name}" for each in node.names}
                imports[name] |= whole & set(named) or {node.module or ""} & set(named)
            else:
                imports[name] |= {each.name for each in node.names} & set(named)
        imports[name].discard(name)
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_no_module_is_imported_with_what_windows_lacks():
    """`test_systems.py` imports all of them as on Windows, which is long."""
    for name, path in modules(ROOT, ALLOWED.keys() - {"benchmarks"}).items():
        top = [node for node in find_imports(path) if isinstance(node, ast.Import) and not node.col_offset]
        names = {each.name for node in top for each in node.names}
        assert not names & {"fcntl", "grp", "pty", "pwd", "resource", "termios"}, name


def test_no_modules_import_each_other_in_a_circle():
    assert not circle(modules(ROOT, ALLOWED))


def test_a_circle_within_functions_is_found(tmp_path):
    folder = tmp_path / "solvers"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "one.py").write_text("def f():\n    from solvers import two\n")
    (folder / "two.py").write_text("def g():\n    from solvers.one import f\n")
    assert set(circle(modules(tmp_path, ["solvers"]))) == {"solvers.one", "solvers.two"}


def test_server_imports_nothing_of_papers_that_computes():
    """Recipes and their command import benchmarks and Numba, in a separate process."""
    for path in (path for top in ("runs", "components") for path in (ROOT / top).rglob("*.py")):
        assert not {each for each in imported_modules(path) if re.match(r"papers\.(recipes|cli)\b", each)}, path.name
    for path in (ROOT / "papers").glob("*.py"):
        if path.name not in ("cli.py", "__main__.py"):
            assert not packages(path) & {"benchmarks", "numba"}, path.name


def test_page_is_not_needed_elsewhere():
    for package in ("data", "solvers", "exports", "commands", "studies", "papers", "benchmarks"):
        for path in (ROOT / package).rglob("*.py"):
            assert not packages(path) & WEB, path.name


@pytest.mark.slow
def test_command_line_run_imports_nothing_of_the_page_and_no_linear_algebra():
    script = (
        "import sys; from commands.main import main\n"
        "code = main(['run', 'burma14', 'two-opt', '--climbers', '5', '--json'])\n"
        f"print(sorted(set(sys.modules) & {WEB | {'scipy.linalg'}!r}), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip().endswith("[]")


_STATISTICS = "accuracy anytime compare ranks references running_time table targets"
#: What is imported one after the other by one process, and which packages nobody has needed by then.
STILL_MISSING = (
    ("data.collection.resolve data.tsplib.instances", "tsplib95 numba dash"),
    ("solvers solvers.run solvers.spec commands.report solvers.core.devices", "numba llvmlite dash plotly PIL"),
    (" ".join(f"studies.stats.{name}" for name in _STATISTICS.split()), "scipy numba"),
    ("studies.report.cautions studies.report.sentences studies.report.summary", "scipy numba"),
    (
        "studies.pool.pool studies.cli.main studies.export.csv studies.export.iohprofiler",
        "numba llvmlite mpi4py scipy pyarrow dash optuna",
    ),
    ("solvers.worker.ray.options runs.engine.ray.engine app", "ray optuna numba"),
)
IMPORTS = """
import importlib, sys
for words in sys.argv[1:]:
    for name in words.split():
        importlib.import_module(name)
    print(*sys.modules)
"""


def test_large_packages_are_imported_lazily():
    command = [sys.executable, "-c", IMPORTS, *(names for names, _ in STILL_MISSING)]
    loaded = subprocess.check_output(command, cwd=ROOT, text=True, timeout=PATIENCE).splitlines()
    for (names, missing), line in zip(STILL_MISSING, loaded, strict=True):
        assert {*names.split()} <= {*line.split()}
        assert not {*missing.split()} & {*line.split()}, names
