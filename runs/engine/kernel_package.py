"""``python -m runs.engine.kernel_package``: compiles all kernels into the package's folders.

``build`` compiles them; without a command it prints whether this process uses them, or why not.
`solvers.kernels.shipped` loads those for CPUs, `solvers.gpu.shipped` those for GPUs.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from data.collection.resolve import resolve
from data.command_line import name_command
from runs.engine import gpu_kernel_package
from runs.engine.cpu_kernels import compile_all
from runs.engine.warmup import list_other_choices, load_beside_gpu, run_briefly
from solvers import BUILT_IN
from solvers.core.errors import DeviceUnavailable
from solvers.gpu import shipped as gpu_shipped
from solvers.spec import RunSpec, Stage
from solvers.worker.process import child_environment
from solvers.worker.worker_io import USER_ERRORS, import_numba

if TYPE_CHECKING:
    from solvers.kernels.shipped import Build

_NATIVE = "native"
#: Few cities, so that all algorithms can solve the instance.
_SMALL_INSTANCES: tuple[dict[str, Any], ...] = tuple(
    {"generate": kind, "n": 12, "seed": 1} for kind in ("uniform", "directed")
)
_AVX2 = (
    "+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,+sahf,+sse,+sse2,+sse3,"
    "+sse4.1,+sse4.2,+ssse3,+xsave"
)
#: Targets by name: a CPU and its features, as LLVM names them, and what such machines are called.
TARGETS = {
    "x86-64-v3": (
        "x86-64-v3",
        _AVX2,
        ("x86_64", "AMD64"),
    ),
    "aarch64": ("generic", "", ("aarch64", "arm64")),
}
#: CPUs with more instructions than a target, and the kernels that were more than 3 % faster on such CPUs
#: (`benchmarks.baseline`): these are compiled for both.
_FASTER = {"x86-64-v3": ("x86-64-v4", f"{_AVX2},+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512vl")}
_FASTER_KERNELS = (
    "solvers.algorithms.two_opt.kernels.climb_cpu:advance", "solvers.algorithms.held_karp.kernels.layer_cpu:advance",
    "solvers.algorithms.construction.kernels.construct_cpu:greedy",
    "solvers.algorithms.construction.kernels.tree_cpu:max_excess",
    "solvers.algorithms.swarms.kernels.particles_cpu:move",
)  # fmt: skip
_COMPILE_FASTER = "compile-faster"


def build(target: str) -> "Build":
    """Compile all kernels for a target. Numba must not be imported yet, as it reads the target on import.

    Parameters
    ----------
    target : str
        A name in `TARGETS`, or ``native`` for this machine's CPU.

    Raises
    ------
    DeviceUnavailable
        If this machine cannot run the compiled kernels; compiling requires running them.
    OSError
        If the package's folder cannot be written.
    """
    with tempfile.TemporaryDirectory() as cache:
        # other machines may lack icc_rt's functions
        os.environ.update(NUMBA_CACHE_DIR=cache, NUMBA_DISABLE_INTEL_SVML="1")
        os.environ.update(_make_environment(*(cpu := _find_cpu(target))))
        from solvers.kernels import shipped

        build = shipped.describe_process(*cpu)
        if refusal := build.refusal():
            raise DeviceUnavailable(f"{refusal} --target {_NATIVE} compiles for this one.")
        for _ in compile_all():
            continue
        load_beside_gpu()
        for spec in list_rare_runs():
            with suppress(*USER_ERRORS):  # the other instance does not support that variant, choice or distance type
                run_briefly(spec, resolve(spec.instance, uploads=None))
        if faster := _FASTER.get(target):
            command = [sys.executable, "-m", "runs.engine.kernel_package", _COMPILE_FASTER]
            subprocess.run(command, check=True, **child_environment(_make_environment(*faster)))
        return _pack(Path(cache), replace(build, faster=[*(faster or ())]))


def compile_faster(kernels: Sequence[str] = _FASTER_KERNELS) -> None:
    """Compile kernels for the CPU requested by the environment, without running them.

    Parameters
    ----------
    kernels : sequence of str
        Module and name of each kernel, compiled for the types for which the cache has another CPU's code.
    """
    import_numba()
    for kernel in map(resolve_name, kernels):
        for signature, *_ in [*kernel._cache._cache_file._load_index()]:
            kernel.compile(signature)


def list_rare_runs() -> Iterator[RunSpec]:
    """List runs whose kernels no default needs: other choices, and directed instances."""
    for solver in BUILT_IN:
        if solver.kernel_cities:
            for instance in _SMALL_INSTANCES:
                for params in ({}, *list_other_choices(solver)):
                    yield RunSpec(instance, (Stage(solver.name, params),), device="cpu")


def _find_cpu(target: str) -> tuple[str, str]:
    """Return a target's CPU and features."""
    if target == _NATIVE:
        import llvmlite.binding as llvm

        return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    cpu, features, _ = TARGETS[target]
    return cpu, features


def _make_environment(cpu: str, features: str) -> dict[str, str]:
    """Return Numba's environment variables for a CPU."""
    return {"NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": features}


def _pack(cache: Path, build: "Build") -> "Build":
    """Replace the package folder's contents with the compiled kernels and their manifest."""
    from solvers.kernels import shipped
    from solvers.kernels.manifest import write_manifest

    new = shipped.FOLDER.with_name(f"{shipped.FOLDER.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    for path in cache.glob("*/*.nb[ci]"):
        name = path.relative_to(cache)
        (new / name).parent.mkdir(parents=True, exist_ok=True)
        (new / name).write_bytes(path.read_bytes())
    complete: Build = write_manifest(new, build)
    shutil.rmtree(shipped.FOLDER, ignore_errors=True)
    new.rename(shipped.FOLDER)
    return complete


def _describe_use() -> str:
    """Describe whether this process uses the package's kernels."""
    from solvers.kernels import shipped

    manifest, of_gpu = shipped.read_build(), gpu_shipped.read_build()
    if manifest is None:
        text = "This package has no compiled kernels: each is compiled when it is first needed."
    else:
        text = manifest.refusal() or f"The kernels of this package, compiled for {manifest.cpu}, are used."
    if of_gpu is None:
        return text
    generations = ", ".join(of_gpu.generations())
    return f"{text}\n{of_gpu.refusal() or f'Its GPU kernels, for compute capabilities {generations}, are used.'}"


def _choose_default_target() -> str:
    machine = platform.machine()
    return next((name for name, (_, _, machines) in TARGETS.items() if machine in machines), _NATIVE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog=name_command("runs.engine.kernel_package"), description="Compiled kernels that come with the package."
    )
    commands = parser.add_subparsers(dest="command", metavar="{build}")
    building = commands.add_parser("build", help="compile all of them; takes a few minutes")
    building.add_argument(
        "--target", choices=[*TARGETS, _NATIVE], default=_choose_default_target(),
        help="the CPUs that can use them: this machine must be one (default: %(default)s)",
    )  # fmt: skip
    building.add_argument("--gpu", action="store_true", help="only those for GPUs, which need numba-cuda but no GPU")
    commands.add_parser(_COMPILE_FASTER)  # called by ``build``
    options = parser.parse_args(arguments)
    if options.command is None:
        print(_describe_use())
        return 0
    if options.command == _COMPILE_FASTER:
        compile_faster()
        return 0
    try:
        if not options.gpu:
            print(f"Compiling all kernels for {options.target} takes a few minutes.", flush=True)
            print(f"{len(build(options.target).files)} files are saved.", flush=True)
        if options.gpu or gpu_kernel_package.can_compile():
            print("Compiling all kernels for GPUs takes a few minutes.", flush=True)
            print(f"{len(gpu_kernel_package.build().files)} files are saved.")
    except DeviceUnavailable as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"They cannot be saved: {error.strerror}.", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
