"""A benchmark in two commits, in turn: ``python -m benchmarks against COMMIT NAME [options of that benchmark]``.

The commit is checked out beside this working tree, and each checkout runs its own code. Every round runs both; the
first is dropped (it compiles), and a ratio is that of the medians: so a machine that slows down slows down both. Before
a benchmark of the pages all kernels for cores are compiled in both: a server loads them, and Numba keeps them by the
folder of their sources, so that a new checkout has none.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.machine import describe
from benchmarks.pages.browser import BROWSERS

ROOT = Path(__file__).resolve().parents[1]
#: What a result file tells of where it was measured.
_PLACE = ("machine", "device")


#: Compiles every kernel for cores, as `make kernels` does; at commits that have such.
_KERNELS = "from runs.engine.warmup import kernels; list(kernels(lambda: False))"
#: The folder of the benchmarks of the pages.
_PAGES = "benchmarks.pages."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options for the commit, the benchmark, and the benchmark's own arguments."""
    parser.add_argument(
        "--checkout", type=Path, metavar="FOLDER", help="keep the commit's checkout there, its kernels compiled"
    )
    parser.add_argument("commit", help="the commit to compare this working tree with")
    parser.add_argument("benchmark", help="a name as of python -m benchmarks")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="options of that benchmark")


@contextmanager
def checked_out(commit: str, cache: Path | None = None) -> Iterator[Path]:
    """Context manager: a checkout of a commit; with `cache` it is stored there and reused.

    Raises
    ------
    SystemExit
        If the stored checkout is of another commit.
    """
    git = ["git", "-C", str(ROOT)]
    if cache is not None:
        if not cache.exists():
            subprocess.run([*git, "worktree", "add", "--quiet", "--detach", str(cache), commit], check=True)
        heads = (["git", "-C", str(cache), "rev-parse", "HEAD"], [*git, "rev-parse", f"{commit}^{{commit}}"])
        found, wanted = (subprocess.run(each, check=True, capture_output=True, text=True).stdout for each in heads)
        if found != wanted:
            raise SystemExit(f"{cache} is a checkout of {found[:12]}, not of {wanted[:12]}.")
        yield cache
        return
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "checkout"
        subprocess.run([*git, "worktree", "add", "--quiet", "--detach", str(checkout), commit], check=True)
        try:
            yield checkout
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", str(checkout)], check=True)


def own_environment() -> dict[str, str]:
    """The environment for commands in another checkout, with its own folder of compiled kernels.

    This process has named that of its own sources, when it imported kernels.
    """
    return {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}


def compile_kernels(checkout: Path) -> None:
    """Compile all kernels for cores in a checkout; one whose commit cannot do so compiles in its first round."""
    command = [sys.executable, "-c", _KERNELS]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, env=own_environment())
    if done.returncode:
        print(f"{checkout}: its kernels compile in the first round.", file=sys.stderr, flush=True)


def collect_figures(result: Any, name: str = "") -> dict[str, float]:
    """The numbers in a benchmark's result by their paths, of a list of numbers the median."""
    if isinstance(result, dict):
        parts = [(join_name(name, key), value) for key, value in result.items() if name or key not in _PLACE]
    elif isinstance(result, list) and result and all(_is_number(each) for each in result):
        return {name: statistics.median(result)}
    elif isinstance(result, list):
        parts = [(join_name(name, str(place)), value) for place, value in enumerate(result)]
    else:
        return {name: result} if _is_number(result) else {}
    return {path: number for part, value in parts for path, number in collect_figures(value, part).items()}


def join_name(*parts: str) -> str:
    """The name of a nested number, joined by dots."""
    return ".".join(filter(None, parts)).removeprefix("samples.")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def measure(checkout: Path, benchmark: str, options: list[str]) -> dict[str, float]:
    """The figures of a benchmark that runs once in a checkout; one that does not know the options goes without them."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "result.json"
        command = [sys.executable, "-m", "benchmarks", benchmark, "--repeats", "1", "--json", str(output)]
        # Earlier commits look for one browser alone.
        browser = next(filter(None, map(shutil.which, BROWSERS)), "")
        variables = ({"TOURSCOPE_CHROMIUM": browser} if browser else {}) | own_environment()
        for more in (options, []):
            done = subprocess.run([*command, *more], cwd=checkout, capture_output=True, text=True, env=variables)
            if done.returncode != 2 or not more:  # argparse's status
                break
        if done.returncode:
            raise SystemExit(done.stderr)
        return collect_figures(json.loads(output.read_text(encoding="utf-8")))


def table(old: list[dict[str, float]], new: list[dict[str, float]]) -> list[str]:
    """A line for each figure that both have: medians, and their ratio."""
    lines = [f"{'':44} {'old':>12} {'new':>12} {'new / old':>10}"]
    for name in old[0]:
        before, after = ([figures[name] for figures in rounds if name in figures] for rounds in (old, new))
        if before and after:
            was, now = statistics.median(before), statistics.median(after)
            lines.append(f"{name:44} {was:12.5g} {now:12.5g} {now / was if was else float('nan'):10.3f}")
    return lines


def main(
    repeats: int, output: Path | None, commit: str, benchmark: str, options: list[str], checkout: Path | None = None
) -> int:
    """Measure, print a table, and write the raw samples to `output`."""
    from benchmarks.__main__ import BENCHMARKS

    rounds: dict[str, list[dict[str, float]]] = {"old": [], "new": []}
    with checked_out(commit, checkout) as before:
        if BENCHMARKS.get(benchmark, "").startswith(_PAGES):
            for each in (before, ROOT):
                compile_kernels(each)
        for _ in range(repeats + 1):
            for which, where in (("old", before), ("new", ROOT)):
                rounds[which].append(measure(where, benchmark, options))
                print(f"{which} {len(rounds[which])}/{repeats + 1}", file=sys.stderr, flush=True)
    old, new = rounds["old"][1:], rounds["new"][1:]
    print("\n".join(table(old, new)))
    if output:
        found = {"machine": describe(), "commit": commit, "benchmark": [benchmark, *options], "old": old, "new": new}
        output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0
