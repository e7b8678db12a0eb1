"""Compares a benchmark in two commits: ``python -m benchmarks against COMMIT NAME [options of that benchmark]``.

The commit is checked out beside this working tree, and each checkout runs its own code. Every round runs both in turn,
so that a machine that slows down affects both; the first round, which compiles, is dropped. Ratios are ratios of
medians. Before a benchmark of the pages, all CPU kernels are compiled in both checkouts: a server loads them, and Numba
stores them by source folder, so a new checkout has none.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.checkouts import make_environment
from benchmarks.machine import describe_machine
from benchmarks.pages.browser import BROWSERS
from benchmarks.saving import save

ROOT = Path(__file__).resolve().parents[1]
#: Keys of a result file that describe the machine.
_PLACE = ("machine", "device")


#: Compiles every CPU kernel, like `make kernels`, in commits that support it.
_KERNELS = "from runs.engine.warmup import kernels; list(kernels(lambda: False))"
#: Package of the page benchmarks.
_PAGES = "benchmarks.pages."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add options for the commit, the benchmark, and the benchmark's own arguments."""
    parser.add_argument(
        "--checkout", type=Path, metavar="FOLDER", help="keep the commit's checkout there, its kernels compiled"
    )
    parser.add_argument("commit", help="the commit to compare this working tree with")
    parser.add_argument("benchmark", help="a name as of python -m benchmarks")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="options of that benchmark")


@contextmanager
def check_out(commit: str, cache: Path | None = None) -> Iterator[Path]:
    """Context manager: a checkout of a commit; with `cache` it is kept there and reused.

    Raises
    ------
    SystemExit
        If the cached checkout is of another commit.
    """
    git = ["git", "-C", str(ROOT)]
    if cache is not None:
        if not cache.exists():
            subprocess.run([*git, "worktree", "add", "--quiet", "--detach", str(cache), commit], check=True)
        heads = (["git", "-C", str(cache), "rev-parse", "HEAD"], [*git, "rev-parse", f"{commit}^{{commit}}"])
        results, wanted = (subprocess.run(head, check=True, capture_output=True, text=True).stdout for head in heads)
        if results != wanted:
            raise SystemExit(f"{cache} is a checkout of {results[:12]}, not of {wanted[:12]}.")
        yield cache
        return
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "checkout"
        subprocess.run([*git, "worktree", "add", "--quiet", "--detach", str(checkout), commit], check=True)
        try:
            yield checkout
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", str(checkout)], check=True)


def compile_kernels(checkout: Path) -> None:
    """Compile all CPU kernels in a checkout; a commit without such a function compiles them in its first round."""
    command = [sys.executable, "-c", _KERNELS]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, env=make_environment())
    if done.returncode:
        print(f"{checkout}: its kernels compile in the first round.", file=sys.stderr, flush=True)


def collect_figures(result: Any, name: str = "") -> dict[str, float]:
    """Collect the numbers in a benchmark's result by path; a list of numbers counts as its median."""
    if isinstance(result, dict):
        parts = [(join_key(name, key), value) for key, value in result.items() if name or key not in _PLACE]
    elif isinstance(result, list) and result and all(_is_number(item) for item in result):
        return {name: statistics.median(result)}
    elif isinstance(result, list):
        parts = [(join_key(name, str(place)), value) for place, value in enumerate(result)]
    else:
        return {name: result} if _is_number(result) else {}
    return {path: number for part, value in parts for path, number in collect_figures(value, part).items()}


def join_key(*parts: str) -> str:
    """Join the parts of a nested number's name by dots."""
    return ".".join(filter(None, parts)).removeprefix("samples.")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def measure(checkout: Path, benchmark: str, options: list[str]) -> dict[str, float]:
    """Run a benchmark once in a checkout and return its figures; leave out options that the checkout lacks."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "result.json"
        command = [sys.executable, "-m", "benchmarks", benchmark, "--repeats", "1", "--json", str(output)]
        # Earlier commits look for a single browser only.
        browser = next(filter(None, map(shutil.which, BROWSERS)), "")
        variables = ({"TOURSCOPE_CHROMIUM": browser} if browser else {}) | make_environment()
        for more in (options, []):
            done = subprocess.run([*command, *more], cwd=checkout, capture_output=True, text=True, env=variables)
            if done.returncode != 2 or not more:  # exit status of argparse
                break
        if done.returncode:
            raise SystemExit(done.stderr)
        return collect_figures(json.loads(output.read_text(encoding="utf-8")))


def format_table(old: list[dict[str, float]], new: list[dict[str, float]]) -> list[str]:
    """Format one line per common figure: medians and their ratio."""
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
    with check_out(commit, checkout) as before:
        if BENCHMARKS.get(benchmark, "").startswith(_PAGES):
            for each in (before, ROOT):
                compile_kernels(each)
        for _ in range(repeats + 1):
            for label, folder in (("old", before), ("new", ROOT)):
                rounds[label].append(measure(folder, benchmark, options))
                print(f"{label} {len(rounds[label])}/{repeats + 1}", file=sys.stderr, flush=True)
    old, new = rounds["old"][1:], rounds["new"][1:]
    print("\n".join(format_table(old, new)))
    results = {"machine": describe_machine(), "commit": commit, "benchmark": [benchmark, *options]}
    save(results | {"old": old, "new": new}, output)
    return 0
