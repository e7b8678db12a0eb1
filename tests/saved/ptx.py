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
import ast
import difflib
import functools
import hashlib
import io
import itertools
import json
import os
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

#: Launches that compile nothing new, after which a program on the GPU of paper is ended; seconds for any program.
ENOUGH, LONGEST = 40, 90
#: Choices of an algorithm's parameters, up to which all of them are tried together.
MOST_CHOICES = 24
#: Options that keep a run of the command line short, where an algorithm has them.
SMALL = {"climbers": 64, "chains": 40, "steps": 20, "moves_per_city": 20, "iterations": 3, "ants": 40}
#: What computes without a GPU.
NOT_CUDA = ("auto", "cpu", "sequential", "mpi")
#: Where every choice of an algorithm's parameters is tried, and where only each variant is.
MAIN = ("berlin52",)
OTHERS = ("att48", "burma14", "gr17", "kroA100", "uniform:25:1")
#: More cities than a tour in shared memory has, for 2-opt; and the file of one whose distances are rounded up.
LARGE, CEIL = "uniform:8000:1", "ceil.tsp"
EXACT = ("burma14", "gr17", "gr21", "uniform:13:1", "uniform:18:1", "uniform:21:2")


# What is compared ------------------------------------------------------------------------------------------------


def plain(ptx: str) -> str:
    """PTX without what is no code, its names replaced: equal for equal machine code, whatever things are called."""
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
    """Declarations and functions with their names; what stands before them has none."""
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
    """A text with some names replaced, labels and parameters included, which begin with those of their functions."""
    text = re.sub(r"\$L__(\w+?)\d+_", r"$L_\1_", text)
    text = re.sub(r"[A-Za-z_$][\w$.]*?(_param_\d+)\b", r"\1", text)
    return re.sub(r"[A-Za-z_$][\w$.]*", lambda found: names.get(found[0], found[0]), text)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


Kernel = dict[str, Any]


def key(kernel: Kernel) -> tuple[str, str, str]:
    """What a kernel is known by wherever it lies: who compiled it, the limit of its registers, its code."""
    return kernel["part"], str(kernel["registers"]), kernel["code"]


def differences(before: list[Kernel], after: list[Kernel]) -> tuple[list[Kernel], list[Kernel]]:
    """The kernels that only the first, and that only the second has, by what they are known by."""
    keys = [{key(kernel) for kernel in kernels} for kernels in (before, after)]
    gone = [kernel for kernel in before if key(kernel) not in keys[1]]
    return gone, [kernel for kernel in after if key(kernel) not in keys[0]]


def diff(old: Path, new: Path, lines: int) -> int:
    """Tell which kernels of one folder the other does not have; how many differences there are."""
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
    """Of other kernels the one that is most like this one by who compiled it, name and types."""
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
    """Keeps what Numba compiles in this process."""

    def __init__(self) -> None:
        self.kernels: dict[tuple[str, str, str], Kernel] = {}
        self.codes: dict[str, str] = {}
        self.since = 0  # launches since the last kernel was compiled

    def hook(self) -> None:
        """Look at every kernel that is compiled from now on."""
        from numba.cuda.dispatcher import _Kernel

        made = _Kernel.__init__

        @functools.wraps(made)
        def make(kernel, py_func, argtypes, *more, **options):
            made(kernel, py_func, argtypes, *more, **options)
            self._keep(py_func, argtypes, options.get("max_registers"), kernel._codelibrary.get_asm_str())

        _Kernel.__init__ = make

    def _keep(self, function: Any, types: Any, registers: Any, ptx: str) -> None:
        text = plain(ptx)
        code, name = _hash(text), f"{function.__module__}.{function.__qualname__}"
        self.codes[code], self.since = text, 0
        where = f"{Path(function.__code__.co_filename).name}:{function.__qualname__.split('.')[-1]}"
        kernel = {"name": name, "types": f"({', '.join(map(str, types))})", "registers": registers, "code": code}
        self.kernels[name, str(registers), code] = {**kernel, "where": where}

    def write(self, path: Path) -> None:
        """What was compiled, as JSON."""
        path.write_text(json.dumps({"kernels": list(self.kernels.values()), "codes": self.codes}))


class Enough(RuntimeError):
    """A program on the GPU of paper has launched what it has."""


class Paper:
    """A GPU of paper: what is launched on it is compiled, and computes nothing.

    Parameters
    ----------
    recorder : Recorder
    cc : (int, int)
        Its compute capability.
    """

    MULTIPROCESSOR_COUNT = 132
    MAX_THREADS_PER_MULTIPROCESSOR = 2048
    MAX_BLOCKS_PER_MULTIPROCESSOR = 32
    MAX_REGISTERS_PER_MULTIPROCESSOR = 65_536
    MAX_REGISTERS_PER_BLOCK = 65_536
    MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 233_472
    MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 232_448
    MAX_SHARED_MEMORY_PER_BLOCK = 49_152
    MAX_THREADS_PER_BLOCK = 1024
    WARP_SIZE = 32
    id, name = 0, b"Paper"

    def __init__(self, recorder: Recorder, cc: tuple[int, int]) -> None:
        self._recorder, self.compute_capability = recorder, cc
        self._kept: dict[str, Any] = {}  # in the place of what Numba keeps on disk, which only a driver can load

    def _key(self, cache: Any, types: Any) -> str:
        return repr(cache._index_key(types, self))

    def magic_tuple(self) -> tuple[int, int]:
        """What Numba asks of a compiler."""
        return self.compute_capability

    def insert(self) -> None:
        """Put it in the place of the first GPU."""
        from cuda.bindings import driver
        from numba import cuda
        from numba.cuda import codegen, dispatcher

        device = self.compute_capability
        codegen.CUDACodeLibrary._ensure_cc = lambda library, cc: cc or device
        codegen.CUDACodeLibrary.get_cufunc = lambda library, *_: self
        dispatcher.get_current_device = lambda: self
        dispatcher.CUDACache.load_overload = lambda cache, types, _: self._kept.get(self._key(cache, types))
        dispatcher.CUDACache.save_overload = lambda cache, types, made: self._kept.update(
            {self._key(cache, types): made}
        )
        dispatcher._Kernel.bind = lambda kernel: None
        dispatcher._Kernel.regs_per_thread = 32
        dispatcher.CUDADispatcher.configure = lambda kernel, *_, **__: _Launcher(kernel, self._recorder)
        dispatcher.CUDADispatcher.__getitem__ = lambda kernel, _: _Launcher(kernel, self._recorder)
        cuda.to_device = lambda array, *_, **__: _sheet(array)
        cuda.device_array = lambda shape, dtype=float, *_, **__: _sheet(_zeros(shape, dtype))
        cuda.device_array_like = lambda array, *_, **__: _sheet(_zeros(array.shape, array.dtype))
        cuda.pinned_array = cuda.mapped_array = lambda shape, dtype=float, *_, **__: _zeros(shape, dtype)
        cuda.stream = cuda.event = lambda *_, **__: self
        cuda.synchronize = lambda: None
        cuda.event_elapsed_time = lambda *_: 1.0
        cuda.gpus = [self]
        cuda.get_current_device, cuda.current_context = (lambda: self), (lambda *_: self)
        self._answer(driver)

    def _answer(self, driver: Any) -> None:
        """What the driver says to who asks it itself; it answers a code first, 0 if all is well."""
        answers = {
            "cuInit": (), "cuDeviceGetCount": (1,), "cuDeviceGet": (0,), "cuDeviceGetName": (b"Paper\0",),
            "cuDeviceTotalMem": (140 << 30,), "cuKernelSetAttribute": (), "cuFuncSetAttribute": (),
            "cuStreamBeginCapture": (), "cuStreamEndCapture": (1,), "cuGraphInstantiate": (1,), "cuGraphLaunch": (),
            "cuGraphExecDestroy": (), "cuGraphDestroy": (),
        }  # fmt: skip
        for name, values in answers.items():
            setattr(driver, name, lambda *_, values=values: (0, *values))
        major = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
        driver.cuDeviceGetAttribute = lambda which, _: (0, self.compute_capability[0 if which == major else 1])

    # Context, stream, event and loaded function, whichever is asked for.
    handle = 0
    memory_manager = deallocations = property(lambda self: self)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def get_memory_info(self):
        return 130 << 30, 140 << 30

    def clear(self, *_):
        return None

    record = synchronize = wait = clear

    def query(self):
        return True


class _Launcher:
    def __init__(self, kernel: Any, recorder: Recorder) -> None:
        self._kernel, self._recorder = kernel, recorder

    def __call__(self, *arguments: Any) -> None:
        self._recorder.since += 1
        self._kernel.compile(tuple(map(self._kernel.typeof_pyval, arguments)))
        if self._recorder.since > ENOUGH:
            self._recorder.since = 0
            raise Enough


def _zeros(shape: Any, dtype: Any) -> Any:
    import numpy as np

    return np.zeros(shape, dtype)


def _sheet(array: Any) -> Any:
    """An array of the GPU of paper: NumPy's, with the methods of one of a device."""
    import numpy as np

    class Sheet(np.ndarray):
        def copy_to_host(self, there: Any = None, *_: Any, **__: Any) -> Any:
            if there is None:
                return np.array(self).view(np.ndarray)
            there[...] = self
            return there

        def copy_to_device(self, here: Any, *_: Any, **__: Any) -> None:
            self[...] = np.asarray(here).reshape(self.shape)

    made = globals().setdefault("_Sheet", Sheet)
    return np.array(array, order="K").view(made)


# What compiles it ------------------------------------------------------------------------------------------------


def record(part: str, path: Path, cc: tuple[int, int] | None) -> None:
    """Run one part in this process, and write down what it compiled."""
    sys.path[0] = os.getcwd()
    recorder = Recorder()
    if cc:
        Paper(recorder, cc).insert()
    recorder.hook()
    kind, _, name = part.partition(":")
    try:
        if kind == "cases":
            _cases(name, bool(cc))
        else:
            _runs(name, path.parent)
    finally:
        recorder.write(path)


def _cases(name: str, paper: bool) -> None:
    import pytest

    handed = ["-p", "no:cacheprovider", "-p", "no:xdist", "-q", "--tb=no", "--no-summary", name]
    status = pytest.main(handed, plugins=[_Hasty()])
    if status and not paper:
        print(f"{name}: pytest ends with {int(status)}")


class _Hasty:
    """Ends cases that wait for what a GPU of paper never computes."""

    def pytest_runtest_call(self, item: Any) -> None:
        _bound(LONGEST)

    def pytest_runtest_teardown(self, item: Any) -> None:
        _bound(0)


def _bound(seconds: int) -> None:
    """End what runs now after so many seconds of the processor, or twenty times as many on the clock; 0: never."""
    for timer, ring, most in (
        (signal.ITIMER_PROF, signal.SIGPROF, seconds),
        (signal.ITIMER_REAL, signal.SIGALRM, 20 * seconds),
    ):
        signal.signal(ring, _too_long)
        signal.setitimer(timer, most)


def _too_long(*_: Any) -> None:
    raise Enough


def _runs(name: str, place: Path) -> None:
    """A variant of an algorithm by the command line, with every choice of its parameters."""
    algorithm, _, variant = name.partition("/")
    entry = next(each for each in _listed() if each["name"] == algorithm)
    failed: Counter[str] = Counter()
    for words in _command_lines(entry, variant, str(place / CEIL)):
        _bound(LONGEST)
        try:
            status = _command(words)[0]
            failed[f"status {status}"] += status != 0
        except (ArithmeticError, LookupError, RuntimeError, ValueError, AssertionError) as error:
            failed[type(error).__name__] += 1
        finally:
            _bound(0)
    print(f"{name}: {dict(+failed) or 'all runs came to their ends'}")


def _variants(entry: dict[str, Any]) -> list[str]:
    """The variants of an algorithm on CUDA."""
    named = (each["choices"] for each in entry["params"] if each["name"] == "variant")
    return [name for choices in named for name in choices if name not in NOT_CUDA]


def _command_lines(entry: dict[str, Any], variant: str, ceil: str) -> Iterator[list[str]]:
    params = {each["name"]: each for each in entry["params"]}
    small = [word for name, value in SMALL.items() if name in params for word in (_option(name), str(value))]
    begin = [entry["name"], "--variant", variant, "--device", "cuda", "--time", "1", "--json", *small]
    chosen = {
        name: each["choices"] or ["true", "false"]
        for name, each in params.items()
        if each["kind"] in ("choice", "bool") and name not in ("variant", "devices", "gpus")
    }
    exact = entry["family"] == "exact"
    for instance in EXACT if exact else MAIN:
        for choice in _choices(chosen):
            yield ["run", instance, *begin, *(f"{_option(name)}={value}" for name, value in choice)]
    for instance in () if exact else (*OTHERS, ceil, *([LARGE] if entry["name"] == "two-opt" else [])):
        yield ["run", instance, *begin]
        switches = [_option(name) for name, values in chosen.items() if values == ["true", "false"]]
        yield from (["run", instance, *begin, switch, "false"] for switch in switches)


def _choices(chosen: dict[str, list[str]]) -> Iterator[list[tuple[str, str]]]:
    """All that can be chosen together or, where that is too much, every two choices together."""
    every = [list(zip(chosen, values, strict=True)) for values in itertools.product(*chosen.values())]
    if len(every) <= MOST_CHOICES:
        yield from every
        return
    each = [(name, value) for name, values in chosen.items() for value in values]
    yield from ([one, other] for one, other in itertools.combinations(each, 2) if one[0] != other[0])


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _listed() -> list[dict[str, Any]]:
    return json.loads(_command(["list", "--json"])[1])


def _command(words: list[str]) -> tuple[int, str]:
    """``python -m solvers``, in this process."""
    printed, before = io.StringIO(), sys.argv
    sys.argv = ["solvers", *words]
    try:
        with redirect_stdout(printed), redirect_stderr(io.StringIO()):
            runpy.run_module("solvers", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return int(end.code or 0), printed.getvalue()
    finally:
        sys.argv = before
    return 0, printed.getvalue()


# All of it -------------------------------------------------------------------------------------------------------


def dump(folder: Path, cc: tuple[int, int] | None, jobs: int, only: str) -> None:
    """Compile every kernel of the checkout in which this was started, or those of the parts whose names begin so."""
    folder.mkdir(parents=True, exist_ok=True)
    began, listed = time.monotonic(), subprocess.run(
        [sys.executable, "-m", "solvers", "list", "--json"], check=True, capture_output=True
    )  # fmt: skip
    parts = [f"cases:{path}" for path in sorted(Path("tests").rglob("*_cuda_cases.py"))]
    if not parts:
        sys.exit("No file tests/**/*_cuda_cases.py is here: what only they compile would be missed.")
    parts += [f"runs:{each['name']}/{name}" for each in json.loads(listed.stdout) for name in _variants(each)]
    parts = [part for part in parts if part.startswith(only)]
    kernels: dict[tuple[str, str, str], Kernel] = {}
    codes: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(jobs) as pool:
        for part, found in zip(parts, pool.map(lambda part: _apart(part, Path(place), cc), parts), strict=True):
            print(f"{part}: {len(found['kernels'])} kernels", flush=True)
            told = [{"part": _known_as(part), **each} for each in found["kernels"]]
            kernels |= {key(each): each for each in told}
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
    met = {kernel["where"] for kernel in kernels.values()}
    missed = sorted(set(written(Path("solvers"))) - met)
    print("Kernels of the sources that nothing compiled:", ", ".join(missed) or "none")


def _known_as(part: str) -> str:
    """A part without the place of a file: files of cases move, algorithms and variants keep their names."""
    kind, _, name = part.partition(":")
    return name if kind == "runs" else kind


def _apart(part: str, place: Path, cc: tuple[int, int] | None) -> dict[str, Any]:
    """Record a part in a process of its own, in which nothing was compiled before."""
    name = _hash(part)
    (place / name).mkdir()
    path = place / f"{name}.json"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(place / name), "NUMBA_ENABLE_CUDASIM": "0"}
    environment |= {"TOURSCOPE_HOME": str(place / "home"), "PYTHONPATH": _paths(), "PYTHONHASHSEED": "0"}
    _ceil(place / CEIL)
    words = [sys.executable, str(Path(__file__).resolve()), "record", part, str(path)]
    words += ["--cc", f"{cc[0]}.{cc[1]}"] if cc else []
    done = subprocess.run(words, env=environment, check=False, stdin=subprocess.DEVNULL)
    if not path.exists():
        sys.exit(f"{part} ended with {done.returncode}, and told nothing.")
    return json.loads(path.read_text())


def _paths() -> str:
    return os.pathsep.join(filter(None, [os.getcwd(), os.environ.get("PYTHONPATH")]))


def _ceil(path: Path) -> None:
    """An instance whose distances are rounded up, of which the project has none at hand."""
    cities = "".join(f"{k + 1} {k * 37 % 101} {k * k * 13 % 97}\n" for k in range(40))
    text = f"NAME: ceil\nTYPE: TSP\nDIMENSION: 40\nEDGE_WEIGHT_TYPE: CEIL_2D\nNODE_COORD_SECTION\n{cities}EOF\n"
    path.write_text(text)


def _compiler(cc: tuple[int, int] | None) -> str:
    from importlib.metadata import version

    where = f"paper, compute capability {cc[0]}.{cc[1]}" if cc else "the GPU of this machine"
    return f"numba-cuda {version('numba-cuda')}, numba {version('numba')}, for {where}"


def written(folder: Path) -> Iterator[str]:
    """The kernels that the sources below a folder have, as file and function."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and any(_is_kernel(each) for each in node.decorator_list):
                yield f"{path.name}:{node.name}"


def _is_kernel(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    options = decorator.keywords if isinstance(decorator, ast.Call) else []
    return ast.unparse(called).endswith("cuda.jit") and not any(each.arg == "device" for each in options)


def _has_gpu() -> bool:
    try:
        from cuda.bindings import driver

        return int(driver.cuInit(0)[0]) == 0 and driver.cuDeviceGetCount()[1] > 0
    except (ImportError, RuntimeError):
        return False


def main() -> int:
    """Do what the command line says."""
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
    given = parser.parse_args()
    if given.command == "diff":
        return int(diff(given.old, given.new, given.lines) > 0)
    cc = tuple(map(int, given.cc.split("."))) if given.cc else None
    if given.command == "record":
        record(given.part, given.folder, cc)
        return 0
    paper = given.paper or cc or not _has_gpu()
    dump(given.folder, (cc or (9, 0)) if paper else None, given.jobs, given.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
