"""Mutation testing: which tests find each of the faults in `tests.mutation.rows`.

``python -m tests.mutation.plant [NUMBER ...] [--commit COMMIT] [-- ARGUMENT ...]`` plants one fault after the other in
a worktree of the last commit, runs the tests of its subject that `make test` runs, those that need a browser last, and
prints the first that fails. Arguments after ``--`` are pytest's.
"""

import argparse
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.mutation.rows import MUTATIONS, Mutation
from tests.test_structure import imported_modules, modules

ROOT = Path(__file__).resolve().parents[2]
#: Stays, so that kernels are compiled once: Numba knows them by the place of their files.
_PLACE = Path(tempfile.gettempdir()) / f"mutation-{hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]}"
TREE, KERNELS = _PLACE / "tree", _PLACE / "kernels"
#: The two parts of `make test`.
_PLAIN, _BROWSER = "not browser and not alone and not long", "browser and not alone and not long"
#: Seconds of all tests of a fault, which may let a program hang.
_PATIENCE = 1800


def main() -> int:
    """Plant the faults named on the command line; the exit status is 1 if one of them survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.plant", description=__doc__)
    parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER", help="faults, counted from 1; default all")
    parser.add_argument("--commit", default="HEAD", help="what to plant them in")
    own, more = sys.argv[1:], list[str]()
    if "--" in own:
        at = own.index("--")
        own, more = own[:at], own[at + 1 :]
    options = parser.parse_args(own)
    check_out(options.commit)
    survived = 0
    for number in options.numbers or range(1, len(MUTATIONS) + 1):
        mutation = MUTATIONS[number - 1]
        outcome = find(mutation, more)
        survived += outcome == "survived"
        print(f"{number:>2} {outcome}: {mutation.effect}", flush=True)
    return int(survived > 0)


def check_out(commit: str) -> None:
    """Check out a commit of this repository in a worktree that uses this checkout's packages."""
    commit = _git(ROOT, "rev-parse", commit)
    if TREE.exists():
        _git(TREE, "checkout", "--quiet", "--force", "--detach", commit)
    else:
        _git(ROOT, "worktree", "prune")
        _git(ROOT, "worktree", "add", "--quiet", "--detach", str(TREE), commit)
    KERNELS.mkdir(exist_ok=True)
    for name in (".venv", "node_modules"):
        if (ROOT / name).exists() and not (TREE / name).exists():
            (TREE / name).symlink_to((ROOT / name).resolve())


def find(mutation: Mutation, more: Sequence[str]) -> str:
    """The test that finds a fault; ``survived`` if none does."""
    path = TREE / mutation.path
    text = path.read_text("utf-8") if path.exists() else ""
    if text.count(mutation.old) != 1:
        return "not in this commit"
    path.write_text(text.replace(mutation.old, mutation.new), "utf-8")
    try:
        with kernels_for(mutation.path) as folder:
            for tests, marked in ((mutation.tests, _PLAIN), (mutation.browser, _BROWSER)):
                if tests and (found := first_failure(tests.split(), marked, folder, more)):
                    return f"found by {found}"
    finally:
        path.write_text(text, "utf-8")
    return "survived"


@contextmanager
def kernels_for(path: str) -> Iterator[Path]:
    """The folder of compiled kernels for a tree whose file `path` is another.

    Numba compiles a changed file again, but not what calls its functions: that is left out of a copy.
    """
    if "kernels" not in Path(path).parts:
        yield KERNELS
        return
    with tempfile.TemporaryDirectory(dir=_PLACE) as copy:
        stale = [f"{name.rpartition('.')[2]}.*" for name in dependents(path)]
        shutil.copytree(KERNELS, copy, ignore=shutil.ignore_patterns(*stale), dirs_exist_ok=True)
        yield Path(copy)


def dependents(path: str) -> set[str]:
    """A module of the solvers and all its importers, direct or indirect, by dotted names."""
    imports = {name: imported_modules(each) for name, each in modules(TREE, ["solvers"]).items()}
    found, left = set[str](), {path.removesuffix(".py").replace("/", ".")}
    while left:
        found |= left
        left = {name for name, others in imports.items() if others & left} - found
    return found


def first_failure(tests: Sequence[str], marked: str, kernels: Path, more: Sequence[str]) -> str:
    """The first failing test in some files and folders; empty if all pass."""
    paths = [f"tests/{each}" for each in tests if (TREE / "tests" / each.partition("::")[0]).exists()]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", marked, *paths, *more]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(kernels)}
    process = subprocess.Popen(
        command, cwd=TREE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        printed, _ = process.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return f"a test that hangs, of {' '.join(paths)}"
    if process.returncode in (0, 5):  # passed; none chosen
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (tests/.*)", printed, re.MULTILINE)
    return failed[1] if failed else printed[-2000:]


def _git(place: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=place, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
