"""``python -m benchmarks.assemble``: assembles every CUDA kernel for each generation of GPUs, without needing a GPU.

Reports registers, spills and static shared memory of each kernel, or the reason why the assembler refuses it. Needs
numba-cuda with its compiler, and ptxas (``pip install numba-cuda[cu13] nvidia-cuda-nvcc``); no GPU. All variants take
an hour on one core; each result is saved at once, and reused unless ``--again`` is given::

    python -m benchmarks.assemble --part two-opt/strip --part ant-colony-system   # variants whose names begin like this
    python -m benchmarks.assemble                                                 # all missing results
    python -m benchmarks.assemble --table                                         # only update the table

The kernels are the ones that the command line launches on a simulated GPU with the limits of an H200, see
`runs.engine.kernel_capture`. From the same kernel, Numba's compiler then writes PTX for each compute capability.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.saving import save
from benchmarks.variant_runs import BOUND, list_algorithms, list_cuda_variants, name_and_place, run_variant
from runs.engine.kernel_capture import Capture, SimulatedGpu, limit_time, make_environment

#: Generations of GPUs: Turing, Ampere (data centre, others), Ada, Hopper, Blackwell (GeForce).
CAPABILITIES = ((7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (12, 0))
#: Simulated GPUs for programs that query the compute capability; each represents the capabilities from its own on.
PAPERS: dict[str, tuple[tuple[int, int], ...]] = {"held-karp": ((8, 0), (9, 0))}
PAPER = ((9, 0),)
#: Variants assembled first.
FIRST = (
    "two-opt/strip", "two-opt/multi-move", "simulated-annealing", "ant-colony-system", "max-min", "ant-system/warp",
    "ant-system/block", "held-karp",
)  # fmt: skip
RESULTS, PAGE = Path("benchmarks/results/assemble.json"), Path("benchmarks/kernels.md")
_BEGIN, _END = "<!-- begin of the table -->", "<!-- end of the table -->"

Row = dict[str, Any]


class Assembler:
    """Assembles the kernels of this process once they are captured.

    Parameters
    ----------
    capabilities : tuple of (int, int)
    """

    def __init__(self, capabilities: tuple[tuple[int, int], ...]) -> None:
        self._capabilities = capabilities
        self._compiled: list[tuple[str, str, int | None, Any]] = []

    def keep(self, function: Any, types: Any, limit: Any, library: Any) -> None:
        """See `Capture`. Slow work waits until everything is captured, because programs are ended after some time."""
        self._compiled.append((name_and_place(function)[1], f"({', '.join(map(str, types))})", limit, library))

    def rows(self) -> list[Row]:
        """Return one row for each kernel; identical ones are merged."""
        rows = []
        for name, types, limit, library in self._compiled:
            row: Row = {"kernel": name, "types": types, "max_registers": limit}
            for a, b in self._capabilities:
                ptx = "\n".join(library.get_asm_strs(cc=(a, b, "")))
                row[f"sm_{a}{b}"] = assemble(ptx, f"sm_{a}{b}", limit)
            rows.append(row)
        return list({json.dumps(row): row for row in rows}.values())


def assemble(ptx: str, target: str, limit: int | None) -> Row:
    """Assemble a kernel: registers, bytes of stack, spills and static shared memory, or the refusal of ptxas."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "kernel.ptx"
        path.write_text(ptx)
        words = [find_ptxas(), "-v", f"-arch={target}", "-o", os.devnull, str(path)]
        words += [f"-maxrregcount={limit}"] if limit else []
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    return parse_figures(done.stdout + done.stderr)


def parse_figures(text: str) -> Row:
    """Parse the figures in the output of ptxas."""
    errors = re.findall(r"(?:error|fatal)\s*: (.*)", text)
    if errors:
        return {"refused": errors[0]}
    stack = [
        tuple(map(int, results))
        for results in re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", text)
    ]
    used = re.search(r"Used (\d+) registers(.*)", text)
    if not used or not stack:
        return {"refused": " ".join(text.split()) or "ptxas said nothing"}
    shared = re.search(r"(\d+) bytes smem", used[2])
    return {
        "registers": int(used[1]), "stack": max(use[0] for use in stack),
        "spill_stores": sum(use[1] for use in stack), "spill_loads": sum(use[2] for use in stack),
        "shared": int(shared[1]) if shared else 0,
    }  # fmt: skip


def find_ptxas() -> str:
    """Find the assembler: on the path, in the toolkit, or in the wheel."""
    toolkit = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    for results in (shutil.which("ptxas"), shutil.which("ptxas", path=f"{toolkit}/bin"), _find_wheel()):
        if results:
            return results
    raise SystemExit("There is no ptxas: pip install nvidia-cuda-nvcc.")


def _find_wheel() -> str | None:
    try:
        from cuda import pathfinder

        return pathfinder.find_nvidia_binary_utility("ptxas")
    except (ImportError, AttributeError):
        return None


# One variant, in a process of its own ----------------------------------------------------------------------------


def assemble_in_process(part: str, paper: tuple[int, int], path: Path) -> None:
    """Capture and assemble the kernels of a variant in this process, for the GPUs represented by `paper`."""
    papers = PAPERS.get(part.partition("/")[0], PAPER)
    after = [each for each in papers if each > paper]
    capabilities = tuple(
        capability for capability in CAPABILITIES
        if (capability >= paper or paper == papers[0]) and (not after or capability < after[0])
    )  # fmt: skip
    assembler = Assembler(capabilities)
    capture = Capture(assembler.keep)
    SimulatedGpu(capture, paper).insert()
    capture.hook()
    run_variant(part, path.parent, limit_time)
    path.write_text(json.dumps(assembler.rows()))


def assemble_in_processes(part: str) -> Row:
    """Assemble the kernels of a variant, with a fresh process for each simulated GPU."""
    start_time, kernels = time.monotonic(), []
    for paper in PAPERS.get(part.partition("/")[0], PAPER):
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "rows.json"
            words = [sys.executable, "-m", "benchmarks.assemble", "--here", part, "--paper", f"{paper[0]}.{paper[1]}"]
            words += ["--json", str(path)]
            done = subprocess.run(words, env=make_environment(Path(place)), check=False, stdin=subprocess.DEVNULL)
            if not path.exists():
                raise SystemExit(f"{part} ended with {done.returncode}, and wrote nothing.")
            kernels += json.loads(path.read_text())
    return {"seconds": round(time.monotonic() - start_time), "kernels": kernels}


# All variants ----------------------------------------------------------------------------------------------------


def list_variants() -> list[str]:
    """Return the lower bound and all CUDA variants, as ``ALGORITHM/VARIANT``, the most important first."""
    every = [
        BOUND,
        *(f"{algorithm['name']}/{name}" for algorithm in list_algorithms() for name in list_cuda_variants(algorithm)),
    ]
    return sorted(every, key=lambda part: next((k for k, first in enumerate(FIRST) if part.startswith(first)), 99))


def describe_compilers() -> dict[str, str]:
    """Return the versions that affect the figures."""
    text = subprocess.run([find_ptxas(), "--version"], capture_output=True, text=True, check=True).stdout
    release = re.search(r"V([\d.]+)", text)
    packages = {name: version(name) for name in ("numba", "numba-cuda")}
    return packages | {"ptxas": release[1] if release else text.strip()}


def format_table(results: dict[str, Any]) -> str:
    """Return a Markdown table with the maximum of each kernel of each variant over its specialisations."""
    targets = [f"sm_{a}{b}" for a, b in CAPABILITIES]
    lines = [
        f"| variant | kernel | kinds | {' | '.join(targets)} | shared, bytes |",
        "|---|---|---:|" + "---:|" * (len(targets) + 1),
    ]
    for part in sorted(results["parts"]):
        by_kernel: dict[str, list[Row]] = {}
        for row in results["parts"][part]["kernels"]:
            by_kernel.setdefault(row["kernel"], []).append(row)
        for kernel, rows in sorted(by_kernel.items()):
            reports = [[row[target] for row in rows if target in row] for target in targets]
            shared = [kernel["shared"] for column in reports for kernel in column if "shared" in kernel] or [0]
            size = f"{min(shared):,} to {max(shared):,}" if min(shared) < max(shared) else f"{max(shared):,}"
            kinds = max(map(len, reports))
            lines.append(f"| {part} | `{kernel}` | {kinds} | {' | '.join(map(_format_cell, reports))} | {size} |")
    return "\n".join(lines)


def _format_cell(rows: list[Row]) -> str:
    """Return the maximum registers of a kernel, and maximum spills in bytes written and read."""
    good = [row for row in rows if "refused" not in row]
    if not good:
        return "refused" if rows else ""
    registers = max(row["registers"] for row in good)
    spilt = max(good, key=lambda row: row["spill_stores"] + row["spill_loads"])
    spills = f", {spilt['spill_stores']}/{spilt['spill_loads']}" if spilt["spill_stores"] + spilt["spill_loads"] else ""
    refused = f" ({len(rows) - len(good)} refused)" if len(good) < len(rows) else ""
    return f"{registers}{spills}{refused}"


def format_refusals(results: dict[str, Any]) -> str:
    """Return the assembler's refusals in Markdown."""
    lines: dict[str, set[str]] = {}
    for part, result in results["parts"].items():
        for row in result["kernels"]:
            for target, reports in row.items():
                if isinstance(reports, dict) and "refused" in reports:
                    lines.setdefault(f"{target}: {reports['refused']}", set()).add(f"{part} `{row['kernel']}`")
    return "\n".join(f"- {reason}: {', '.join(sorted(names))}" for reason, names in sorted(lines.items()))


def write_page(results: dict[str, Any], variants: list[str]) -> None:
    """Update the table in its page."""
    missing = [part for part in variants if part not in results["parts"]]
    versions = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    text = f"{_BEGIN}\n\nAssembled with {versions}.\n\n{format_table(results)}\n"
    text += f"\nRefused:\n\n{format_refusals(results)}\n" if format_refusals(results) else "\nNone is refused.\n"
    text += f"\nNot assembled yet: {', '.join(missing)}.\n" if missing else ""
    page = PAGE.read_text()
    begin, end = page.index(_BEGIN), page.index(_END)
    PAGE.write_text(f"{page[:begin]}{text}\n{page[end:]}")


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.assemble", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--part", action="append", default=[], help="variants whose names begin so (default: all)")
    parser.add_argument("--again", action="store_true", help="those too that are there already")
    parser.add_argument("--table", action="store_true", help="assemble nothing, renew the table of the page")
    parser.add_argument("--json", type=Path, default=RESULTS, metavar="FILE", help="default: %(default)s")
    parser.add_argument("--jobs", type=int, default=1, help="variants at a time (default: %(default)s)")
    parser.add_argument("--here", help=argparse.SUPPRESS)
    parser.add_argument("--paper", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        major, minor = map(int, options.paper.split("."))
        assemble_in_process(options.here, (major, minor), options.json)
        return 0
    every = list_variants()
    has_some = options.json.exists()
    results: dict[str, Any] = (
        json.loads(options.json.read_text()) if has_some else {"versions": describe_compilers(), "parts": {}}
    )
    wanted = [part for part in every if part.startswith(tuple(options.part) or "") and not options.table]
    left = [part for part in wanted if options.again or part not in results["parts"]]
    if left and results["versions"] != describe_compilers():
        raise SystemExit(f"{options.json.name} was made by other compilers; use another file.")
    with ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(assemble_in_processes, part): part for part in left}
        for done in as_completed(futures):
            part, row = futures[done], done.result()
            results["parts"][part] = row
            save(results, options.json, depth=5)
            print(f"{part}: {len(row['kernels'])} kernels, {row['seconds']} s", flush=True)
    write_page(results, every)
    return 0


if __name__ == "__main__":
    sys.exit(main())
