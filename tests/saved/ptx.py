r"""The machine code of all CUDA kernels, so that two states of the project can be held against each other.

    python tests/saved/ptx.py dump NEW          # in a checkout: compiles every kernel there, and keeps its PTX
    python tests/saved/ptx.py diff OLD NEW      # what of one is not in the other; exit status 1 if there is anything

``dump`` works on the checkout in which it is started, whichever release's ptx.py it is::

    (cd RELEASE && python OTHER/tests/saved/ptx.py dump OLD) && python tests/saved/ptx.py dump NEW

It needs numba-cuda with its compiler (``pip install numba-cuda[cu13]``), but no GPU: where there is none, or
``--paper`` is given, a GPU of paper takes its place. It has the limits of an H200 and compiles what is launched on it,
but computes nothing, so that programs end after some launches that compile nothing new. ``--cc 8.6`` compiles for
another compute capability. Both states must be compiled by the same compiler, on the same kind of card.

Kernels are those that the files ``tests/**/*_cuda_cases.py`` and the command line launch: every algorithm, each of its
variants on CUDA with every choice of its parameters, on instances of every kind of distance. Kernels of the sources
that none of these compiled are named at the end of ``dump``.

In what is compared, names of functions, arrays and labels are replaced by the order in which they stand, and functions
are put in an order of their own: so to move or to rename anything changes nothing. What a folder holds: each code as
``HASH.ptx``; ``hashes.txt``, the list that is compared, with the algorithm and variant that compiled a code (or
``cases``), the limit of its registers and its hash, none of which has a name of a module or a function in it; and
``index.json``, which has the names as well, for whoever reads a difference.
"""

import argparse
import difflib
import hashlib
import importlib.util
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any


def _load(path: str) -> Any:
    """A module of this checkout, even if the program works in another one."""
    file = Path(__file__).resolve().parents[2] / path
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


capture, variants = _load("runs/engine/kernel_capture.py"), _load("benchmarks/variant_runs.py")

# What is compared ------------------------------------------------------------------------------------------------


def plain(ptx: str) -> str:
    """PTX reduced to its code, with names replaced: equal for equal machine code, independent of names."""
    parts = list(_parts(ptx))
    names = [name for name, _ in parts if name]
    order = dict.fromkeys(names, "")
    for _ in range(4):  # names within names: functions that call functions that read arrays
        order = {name: _hash(_renamed(text, {**order, name: "self"})) for name, text in parts if name}
    ranked = sorted(parts, key=lambda part: order.get(part[0], ""))
    # Arrays that are declared alike are told apart by the order in which the code names them.
    used = re.findall(r"[A-Za-z_$][\w$.]*", "\n".join(text for _, text in ranked if "{" in text))
    met = dict.fromkeys(name for name in (*used, *names) if name in order)
    ranks = {name: f"n{rank}" for rank, name in enumerate(met)}
    ranked.sort(key=lambda part: (part[0] in ranks, int(ranks.get(part[0], "n0")[1:])))
    return "\n".join(_renamed(text, ranks) for _, text in ranked) + "\n"


def _parts(ptx: str) -> Iterator[tuple[str, str]]:
    """Declarations and functions with their names, and the text before them."""
    lines = [line for line in map(_line, ptx.splitlines()) if line]
    at = 0
    while at < len(lines):
        end = at
        if re.search(r"\.(func|entry)\b", lines[at]) and not lines[at].endswith(";"):
            while lines[end] != "}":
                end += 1
        elif lines[at].startswith("."):
            while end < len(lines) - 1 and not lines[end].endswith(";") and not _is_head(lines[end]):
                end += 1
        text = "\n".join(lines[at : end + 1])
        at = end + 1
        if _is_head(text):
            if not text.startswith(".version"):  # which the compiler's release alone decides
                yield "", text
        elif name := _name(text):
            yield name, text


def _line(line: str) -> str:
    line = re.sub(r"//.*", "", line).strip()
    return "" if line.startswith((".loc", ".file")) or "NumbaEnv" in line else line


def _is_head(text: str) -> bool:
    return text.startswith((".version", ".target", ".address_size"))


def _name(text: str) -> str:
    """The name that a declaration declares."""
    found = re.search(r"\.(?:func|entry)\s+(?:\([^)]*\)\s*)?([\w$.]+)", text)
    return found[1] if found else re.findall(r"([A-Za-z_$][\w$.]*)\s*(?:\[\d*\]\s*)*(?:=[^;]*)?;", text)[-1]


def _renamed(text: str, names: dict[str, str]) -> str:
    """A text with some names replaced, including labels and parameters, which begin with their function's name."""
    text = re.sub(r"\$L__(\w+?)\d+_", r"$L_\1_", text)
    text = re.sub(r"[A-Za-z_$][\w$.]*?(_param_\d+)\b", r"\1", text)
    return re.sub(r"[A-Za-z_$][\w$.]*", lambda found: names.get(found[0], found[0]), text)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


Kernel = dict[str, Any]


def key(kernel: Kernel) -> tuple[str, str, str]:
    """The identity of a kernel independent of its location: its compiler, the limit of its registers, its code."""
    return kernel["part"], str(kernel["registers"]), kernel["code"]


def differences(before: list[Kernel], after: list[Kernel]) -> tuple[list[Kernel], list[Kernel]]:
    """The kernels found only in the first and only in the second folder, by their keys."""
    keys = [{key(kernel) for kernel in kernels} for kernels in (before, after)]
    gone = [kernel for kernel in before if key(kernel) not in keys[1]]
    return gone, [kernel for kernel in after if key(kernel) not in keys[0]]


def diff(old: Path, new: Path, lines: int) -> int:
    """Print the kernels missing in each of two folders; return the number of differences."""
    before, after = (json.loads((folder / "index.json").read_text()) for folder in (old, new))
    gone, came = differences(before["kernels"], after["kernels"])
    compilers = int(before["for"] != after["for"])
    if compilers:
        print(f"The compilers differ: {before['for']} and {after['for']}.")
    counts = [len(index["kernels"]) for index in (before, after)]
    print(f"{counts[0] - len(gone)} kernels are in both; {counts[0]} in {old}, {counts[1]} in {new}.")
    for sign, kernels in (("-", gone), ("+", came)):
        for kernel in kernels:
            print(f"{sign} {kernel['part']} {kernel['name']} {kernel['types']} {kernel['code']}")
    for kernel in gone:
        nearest = _nearest(kernel, came)
        if nearest and lines:
            texts = [(folder / f"{each['code']}.ptx").read_text().splitlines()
                     for folder, each in ((old, kernel), (new, nearest))]  # fmt: skip
            print(
                *itertools.islice(difflib.unified_diff(*texts, kernel["name"], nearest["name"], n=1), lines), sep="\n"
            )
    return len(gone) + len(came) + compilers


def _nearest(kernel: Kernel, others: list[Kernel]) -> Kernel | None:
    """The most similar kernel among others, by compiler, name and types."""
    wanted = f"{kernel['name'].split('.')[-1]} {kernel['types']}"
    return max(
        others,
        key=lambda other: (
            other["part"] == kernel["part"],
            difflib.SequenceMatcher(None, wanted, f"{other['name'].split('.')[-1]} {other['types']}").quick_ratio(),
        ),
        default=None,
    )


# What is compiled ------------------------------------------------------------------------------------------------


class Recorder:
    """Records what Numba compiles in this process."""

    def __init__(self) -> None:
        self.kernels: dict[tuple[str, str, str], Kernel] = {}
        self.codes: dict[str, str] = {}

    def keep(self, function: Any, types: Any, registers: Any, library: Any) -> None:
        """Count one more kernel: see `Capture` of ``runs/engine/kernel_capture.py``."""
        text = plain(library.get_asm_str())
        code, (name, where) = _hash(text), variants.name_and_place(function)
        self.codes[code] = text
        kernel = {"name": name, "types": f"({', '.join(map(str, types))})", "registers": registers, "code": code}
        self.kernels[name, str(registers), code] = {**kernel, "where": where}

    def write(self, path: Path) -> None:
        """The compiled kernels, as JSON."""
        path.write_text(json.dumps({"kernels": list(self.kernels.values()), "codes": self.codes}))


# What compiles it ------------------------------------------------------------------------------------------------


def record(part: str, path: Path, cc: tuple[int, int] | None) -> None:
    """Run one part in this process and record the compiled kernels."""
    sys.path[0] = os.getcwd()
    recorder = Recorder()
    captured = capture.Capture(recorder.keep)
    if cc:
        capture.SimulatedGpu(captured, cc).insert()
    captured.hook()
    kind, _, name = part.partition(":")
    try:
        if kind == "cases":
            _cases(name, bool(cc))
        else:
            variants.run_variant(name, path.parent / _hash(part), capture.limit_time)
    finally:
        recorder.write(path)


def _cases(name: str, paper: bool) -> None:
    import pytest

    handed = ["-p", "no:cacheprovider", "-p", "no:xdist", "-q", "--tb=no", "--no-summary", name]
    status = pytest.main(handed, plugins=[_Hasty()])
    if status and not paper:
        print(f"{name}: pytest ends with {int(status)}")


class _Hasty:
    """Ends cases that wait for results that a simulated GPU never computes."""

    def pytest_runtest_call(self, item: Any) -> None:
        capture.limit_time(variants.MAX_SECONDS)

    def pytest_runtest_teardown(self, item: Any) -> None:
        capture.limit_time(0)


# All of it -------------------------------------------------------------------------------------------------------


def dump(folder: Path, cc: tuple[int, int] | None, jobs: int, only: str) -> None:
    """Compile all kernels of the current checkout, or those of the parts with these prefixes."""
    folder.mkdir(parents=True, exist_ok=True)
    began, listed = time.monotonic(), subprocess.run(
        [sys.executable, "-m", "solvers", "list", "--json"], check=True, capture_output=True
    )  # fmt: skip
    parts = [f"cases:{path}" for path in sorted(Path("tests").rglob("*_cuda_cases.py"))]
    if not parts:
        sys.exit("No file tests/**/*_cuda_cases.py is here: what only they compile would be missed.")
    entries = json.loads(listed.stdout)
    parts += [f"runs:{each['name']}/{name}" for each in entries for name in variants.list_cuda_variants(each)]
    parts = [part for part in parts if part.startswith(only)]
    kernels: dict[tuple[str, str, str], Kernel] = {}
    codes: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(jobs) as pool:
        for part, found in zip(
            parts, pool.map(lambda part: _record_in_process(part, Path(place), cc), parts), strict=True
        ):
            print(f"{part}: {len(found['kernels'])} kernels", flush=True)
            answer = [{"part": _known_as(part), **each} for each in found["kernels"]]
            kernels |= {key(each): each for each in answer}
            codes |= found["codes"]
    for old in folder.glob("*.ptx"):
        old.unlink()
    for code, text in codes.items():
        (folder / f"{code}.ptx").write_text(text)
    index = {"for": _compiler(cc), "kernels": [kernels[known] for known in sorted(kernels)]}
    (folder / "index.json").write_text(json.dumps(index, indent=1))
    (folder / "hashes.txt").write_text("".join(f"{' '.join(known)}\n" for known in sorted(kernels)))
    seconds = time.monotonic() - began
    print(f"{len(kernels)} kernels, {len(codes)} codes in {folder}, {seconds:.0f} s; by {index['for']}")


def _known_as(part: str) -> str:
    """A part's name without its file's location: case files move, algorithms and variants keep their names."""
    kind, _, name = part.partition(":")
    return name if kind == "runs" else kind


def _record_in_process(part: str, place: Path, cc: tuple[int, int] | None) -> dict[str, Any]:
    """Record a part in a new process without compiled kernels."""
    name = _hash(part)
    (place / name).mkdir()
    path = place / f"{name}.json"
    words = [sys.executable, str(Path(__file__).resolve()), "record", part, str(path)]
    words += ["--cc", f"{cc[0]}.{cc[1]}"] if cc else []
    done = subprocess.run(words, env=capture.make_environment(place / name), check=False, stdin=subprocess.DEVNULL)
    if not path.exists():
        sys.exit(f"{part} ended with {done.returncode}, and told nothing.")
    return json.loads(path.read_text())


def _compiler(cc: tuple[int, int] | None) -> str:
    from importlib.metadata import version

    where = f"paper, compute capability {cc[0]}.{cc[1]}" if cc else "the GPU of this machine"
    return f"numba-cuda {version('numba-cuda')}, numba {version('numba')}, for {where}"


def _has_gpu() -> bool:
    try:
        from cuda.bindings import driver

        return int(driver.cuInit(0)[0]) == 0 and driver.cuDeviceGetCount()[1] > 0
    except (ImportError, RuntimeError):
        return False


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    dumping = commands.add_parser("dump", help="compile every kernel, and keep its code")
    dumping.add_argument("folder", type=Path)
    dumping.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: %(default)s)")
    dumping.add_argument("--paper", action="store_true", help="on a GPU of paper, even where there is one")
    dumping.add_argument("--only", default="", metavar="PART", help="parts that begin so: runs, cases, runs:two-opt")
    recording = commands.add_parser("record", help="one part of a dump")
    recording.add_argument("part")
    recording.add_argument("folder", type=Path)
    for each in (dumping, recording):
        each.add_argument("--cc", help="compute capability of a GPU of paper (default for a dump: 9.0)")
    comparing = commands.add_parser("diff", help="compare two dumps")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--lines", type=int, default=0, help="lines shown of each difference")
    values = parser.parse_args()
    if values.command == "diff":
        return int(diff(values.old, values.new, values.lines) > 0)
    cc = tuple(map(int, values.cc.split("."))) if values.cc else None
    if values.command == "record":
        record(values.part, values.folder, cc)
        return 0
    paper = values.paper or cc or not _has_gpu()
    dump(values.folder, (cc or (9, 0)) if paper else None, values.jobs, values.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
