"""Who may import whom, held against the code; and what must run without the page's packages."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: Each package, and the project's packages that it may import besides itself.
ALLOWED = {
    "data": set(),
    "solvers": {"data"},
    "studies": {"data", "solvers"},
    "runs": {"data", "solvers", "studies"},
    "components": {"data", "solvers", "studies", "runs"},
    "benchmarks": {"data", "solvers", "studies", "runs"},
}
#: Files that are programs, as `app.py` is one, and what they may import besides.
PROGRAMS = {"solvers/__main__.py": {"studies"}}
WEB = {"dash", "dash_ag_grid", "dash_bootstrap_components", "fastapi", "plotly", "starlette", "uvicorn"}


def imported(path: Path) -> set[str]:
    """Modules that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            found.add(node.module or "")
    return found


def packages(path: Path) -> set[str]:
    return {module.partition(".")[0] for module in imported(path)}


@pytest.mark.parametrize("package", ALLOWED)
def test_imports_point_one_way(package):
    for path in (ROOT / package).rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        foreign = (packages(path) & set(ALLOWED)) - ALLOWED[package] - PROGRAMS.get(name, set()) - {package}
        assert not foreign, f"{name} imports {foreign}"


def test_kernels_know_only_kernels():
    for path in (ROOT / "solvers" / "kernels").rglob("*.py"):
        own = {module for module in imported(path) if module.partition(".")[0] in ALLOWED}
        assert all(module.startswith("solvers.kernels") for module in own), f"{path.name} imports {own}"


@pytest.mark.parametrize("package", ["data", "solvers", "studies", "benchmarks"])
def test_the_page_is_not_needed_elsewhere(package):
    for path in (ROOT / package).rglob("*.py"):
        assert not packages(path) & WEB, path.name


def test_a_run_from_the_command_line_imports_nothing_of_the_page():
    script = (
        "import sys; from solvers.cli.main import main\n"
        "code = main(['run', 'burma14', 'two-opt', '--climbers', '5', '--json'])\n"
        f"print(sorted(set(sys.modules) & {WEB!r}), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip().endswith("[]")
