"""Runs that launch the CUDA kernels of an algorithm's variant, by the command line.

They try every choice of the variant's parameters, on instances of every kind of distance.

This file imports nothing from the project, so a program that works on another checkout can load it by its path.
"""

import io
import itertools
import json
import runpy
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

#: Processor time in seconds after which a run is ended.
MAX_SECONDS = 90
#: Maximum number of combinations of an algorithm's choices that are all tried.
MAX_CHOICES = 24
#: Options that keep a run of the command line short, if an algorithm has them.
SMALL = {"climbers": 64, "chains": 40, "steps": 20, "moves_per_city": 20, "iterations": 3, "ants": 40}
#: Devices without a GPU.
NOT_CUDA = (
    "auto",
    "cpu",
    "sequential",
    "mpi",
    "qin-han-openmp",
    "qin-han-sequential",
    "qin-han-mpi",
    "replica-exchange",
)
#: The lower bound, which is not an algorithm, as a part to assemble.
BOUND = "lower-bound/cuda"
#: Instances on which all choices are tried, and instances on which only variants are tried.
MAIN = ("berlin52",)
OTHERS = ("att48", "burma14", "gr17", "kroA100", "uniform:25:1")
#: More cities than a tour in shared memory supports, for 2-opt; and the file of an instance with rounded-up distances.
LARGE, CEIL = "uniform:8000:1", "ceil.tsp"
EXACT = ("burma14", "gr17", "gr21", "uniform:13:1", "uniform:18:1", "uniform:21:2")


def name_and_place(function: Any) -> tuple[str, str]:
    """Return the name of a kernel's function by its module and by its file."""
    file = Path(function.__code__.co_filename).name
    return f"{function.__module__}.{function.__qualname__}", f"{file}:{function.__qualname__.split('.')[-1]}"


def run_variant(name: str, place: Path, limit_time: Callable[[int], None]) -> None:
    """Run a variant, ``ALGORITHM/VARIANT``, with every parameter choice; write required files to a folder.

    `limit_time` comes from `runs.engine.kernel_capture`.
    """
    algorithm, _, variant = name.partition("/")
    ceil = _write_ceil_instance(place / CEIL)
    if name == BOUND:
        lines: Iterable[list[str]] = (["bound", each, "--device", "cuda"] for each in (*MAIN, *OTHERS, ceil))
    else:
        entry = next(each for each in list_algorithms() if each["name"] == algorithm)
        lines = _list_command_lines(entry, variant, ceil)
    failed: Counter[str] = Counter()
    for words in lines:
        limit_time(MAX_SECONDS)
        try:
            status = _run_command(words)[0]
            failed[f"status {status}"] += status != 0
        except (ArithmeticError, LookupError, RuntimeError, ValueError, AssertionError) as error:
            failed[type(error).__name__] += 1
        finally:
            limit_time(0)
    print(f"{name}: {dict(+failed) or 'all runs came to their ends'}")


def list_cuda_variants(entry: dict[str, Any]) -> list[str]:
    """Return the CUDA variants of an algorithm."""
    named = (param["choices"] for param in entry["params"] if param["name"] == "variant")
    return [name for choices in named for name in choices if name not in NOT_CUDA]


def _list_command_lines(entry: dict[str, Any], variant: str, ceil: str) -> Iterator[list[str]]:
    params = {param["name"]: param for param in entry["params"]}
    small = [word for name, value in SMALL.items() if name in params for word in (_format_option(name), str(value))]
    begin = [entry["name"], "--variant", variant, "--device", "cuda", "--time", "1", "--json", *small]
    chosen = {
        name: param["choices"] or ["true", "false"]
        for name, param in params.items()
        if param["kind"] in ("choice", "bool") and name not in ("variant", "devices", "gpus")
    }
    exact = entry["family"] == "exact"
    for instance in EXACT if exact else MAIN:
        for choice in _combine_choices(chosen):
            yield ["run", instance, *begin, *(f"{_format_option(name)}={value}" for name, value in choice)]
    for instance in () if exact else (*OTHERS, ceil, *([LARGE] if entry["name"] == "two-opt" else [])):
        yield ["run", instance, *begin]
        switches = [_format_option(name) for name, values in chosen.items() if values == ["true", "false"]]
        yield from (["run", instance, *begin, switch, "false"] for switch in switches)


def _combine_choices(options: dict[str, list[str]]) -> Iterator[list[tuple[str, str]]]:
    """Yield all combinations of choices, or only all pairs if there are too many."""
    every = [list(zip(options, values, strict=True)) for values in itertools.product(*options.values())]
    if len(every) <= MAX_CHOICES:
        yield from every
        return
    each = [(name, value) for name, values in options.items() for value in values]
    yield from ([one, other] for one, other in itertools.combinations(each, 2) if one[0] != other[0])


def _format_option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def list_algorithms() -> list[dict[str, Any]]:
    """Return the algorithms of the checkout in the current folder, as in ``list --json``."""
    return json.loads(_run_command(["list", "--json"])[1])


def _run_command(words: list[str]) -> tuple[int, str]:
    """Run ``python -m solvers`` in this process."""
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


def _write_ceil_instance(path: Path) -> str:
    """Write an instance with rounded-up distances, as no bundled instance has them."""
    cities = "".join(f"{k + 1} {k * 37 % 101} {k * k * 13 % 97}\n" for k in range(40))
    text = f"NAME: ceil\nTYPE: TSP\nDIMENSION: 40\nEDGE_WEIGHT_TYPE: CEIL_2D\nNODE_COORD_SECTION\n{cities}EOF\n"
    path.write_text(text)
    return str(path)
