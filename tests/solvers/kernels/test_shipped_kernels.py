"""Kernels shipped with the package: which are loaded, and which are refused."""

import hashlib
import json
from dataclasses import asdict, replace
from pkgutil import resolve_name

import pytest
from numba.core import caching, registry, types

from runs.engine import kernel_package
from solvers.kernels import shipped
from solvers.kernels.compiler import _Cache, njit
from solvers.kernels.manifest import MANIFEST
from solvers.kernels.tours_cpu import random_tours

BASE, DATA = "tours_cpu.random_tours-1.py311", {"code": b"machine code"}
SIGNATURE = (types.int64, types.float64)


@pytest.fixture(autouse=True)
def clear_cache():
    shipped.find_usable_build.cache_clear()
    yield
    shipped.find_usable_build.cache_clear()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "compiled")
    return shipped.FOLDER


def write(folder, key="key", base=BASE, stamp="stamp", **changes) -> None:
    """A folder with one function under one key, and its manifest."""
    (folder / "solvers.kernels").mkdir(parents=True, exist_ok=True)
    caching.IndexDataCacheFile(str(folder / "solvers.kernels"), base, stamp).save(key, DATA)
    files = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.glob("*/*.nb[ci]")
    }
    build = replace(shipped.describe_process("generic", ""), files=files, **changes)
    (folder / MANIFEST).write_text(json.dumps(asdict(build)))


def load(key="key", base=BASE, stamp="stamp"):
    return shipped.IndexFile("solvers.kernels", base, stamp).load(key)


def test_listed_kernels_are_loaded(folder):
    assert shipped.find_usable_build() is None, "there is none"
    write(folder)
    shipped.find_usable_build.cache_clear()
    assert load() == DATA
    assert load(key="another") is None
    assert load(base="another") is None
    assert load(stamp="of another file") is None


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_file_with_another_hash_is_not_unpickled(kind, folder, monkeypatch):
    write(folder)
    (path,) = folder.glob(f"*/*.{kind}")
    path.write_bytes(path.read_bytes() + b" ")
    monkeypatch.setattr(shipped.IndexFile, "_load_index" if kind == "nbi" else "_load_data", None)
    assert load() is None


def test_unlisted_file_is_not_loaded(folder):
    write(folder)
    manifest = json.loads((folder / MANIFEST).read_text())
    for name in list(manifest["files"]):
        stored = {other: value for other, value in manifest["files"].items() if other != name}
        (folder / MANIFEST).write_text(json.dumps(manifest | {"files": stored}))
        shipped.find_usable_build.cache_clear()
        assert load() is None


@pytest.mark.parametrize("text", ["", "{}", '{"sources": 1}', "[]"])
def test_damaged_manifest_counts_as_none(text, folder):
    write(folder)
    (folder / MANIFEST).write_text(text)
    assert shipped.read_build() is None
    assert load() is None


@pytest.mark.parametrize("name", ["sources", "python", "numba", "llvmlite", "triple"])
def test_kernels_of_another_version_are_refused_with_a_message(name, folder):
    write(folder, **{name: "0.1"})
    assert load() is None
    assert "0.1" in shipped.read_build().refusal()


def test_cpu_must_have_all_instructions(folder, monkeypatch):
    has = {"avx": True, "avx2": False, "fma": True}
    monkeypatch.setattr(shipped.llvm, "get_host_cpu_features", lambda: has)
    shipped._find_host_features.cache_clear()
    try:
        write(folder, features="+avx,-avx512f,+fma")
        assert load() == DATA
        write(folder, features="+avx,+avx2,+fma,+bmi2")
        shipped.find_usable_build.cache_clear()
        assert load() is None
        assert shipped.read_build().refusal() == "This CPU lacks instructions that they use: +avx2, +bmi2."
    finally:
        shipped._find_host_features.cache_clear()


def test_kernels_for_another_requested_cpu_are_not_used(folder, monkeypatch):
    write(folder)
    monkeypatch.setattr(shipped.numba.config, "CPU_NAME", "generic")
    assert shipped.find_usable_build() is None


def test_function_is_looked_up_as_compiled_for_the_baseline(folder, monkeypatch):
    """Numba's own key contains the CPU of this machine, for which the folder has nothing."""
    context = registry.cpu_target.target_context
    cache = _Cache(random_tours.py_func)
    build = shipped.describe_process("generic", "")
    *_, code = cache._index_key(SIGNATURE, context.codegen())
    stamp = cache._impl.locator.get_source_stamp()
    write(folder, (SIGNATURE, *build.magics, code), cache._impl.filename_base, stamp)
    monkeypatch.setattr(cache._impl, "rebuild", lambda context, data: data)
    assert cache._load_overload(SIGNATURE, context) == DATA
    assert cache._load_overload((types.int32,), context) is None
    assert context.codegen().magic_tuple()[0] == build.triple


@pytest.mark.parametrize("has_more", [False, True])
def test_of_two_cpus_the_better_one_s_code_is_loaded(has_more, folder, monkeypatch):
    monkeypatch.setattr(shipped, "_find_host_features", lambda: {"avx512f": has_more})
    write(folder, key="baseline")
    caching.IndexDataCacheFile(str(folder / "solvers.kernels"), BASE, "stamp").save("better", {"code": b"better"})
    write(folder, key="baseline", faster=["a better CPU", "+avx512f"])
    shipped.find_usable_build.cache_clear()
    cpus = [cpu for _, cpu, _ in shipped.find_usable_build().magics]
    assert cpus == [*(["a better CPU"] if has_more else []), "generic"]
    keys = {"a better CPU": "better", "generic": "baseline"}
    data = shipped.IndexFile("solvers.kernels", BASE, "stamp").load(*(keys[cpu] for cpu in cpus))
    assert data == ({"code": b"better"} if has_more else DATA)


def test_build_replaces_the_previous_one(folder, tmp_path):
    cache = tmp_path / "cache"
    write(cache)
    (cache / "solvers.kernels/turns.lock").touch()
    write(folder, base="of an earlier build")
    build = kernel_package._pack(cache, shipped.describe_process("generic", ""))
    assert sorted(build.files) == [f"solvers.kernels/{BASE}.1.nbc", f"solvers.kernels/{BASE}.nbi"]
    assert {path.relative_to(folder).as_posix() for path in folder.glob("*/*")} == {*build.files}
    assert shipped.read_build() == build
    assert load() == DATA


def test_unsupported_target_is_not_built(folder, monkeypatch, capsys):
    monkeypatch.setitem(kernel_package.TARGETS, "x86-64-v3", ("x86-64-v3", "+avx9000", ()))
    monkeypatch.setattr(kernel_package.os, "environ", {})
    monkeypatch.setattr(kernel_package, "compile_all", lambda: pytest.fail("nothing is compiled"))
    assert kernel_package.main(["build", "--target", "x86-64-v3"]) == 2
    assert "lacks instructions that they use: +avx9000. --target native" in capsys.readouterr().err
    assert not folder.exists()


def test_every_target_names_a_checkable_cpu():
    for cpu, features, machines in kernel_package.TARGETS.values():
        assert cpu
        assert machines
        assert all(each.startswith("+") for each in features.split(",") if each)


def test_kernels_compiled_for_better_cpus_exist():
    for name in kernel_package._FASTER_KERNELS:
        assert callable(resolve_name(name).compile), name


def test_use_of_shipped_kernels_is_reported(folder, capsys):
    assert kernel_package.main([]) == 0
    assert "has no compiled kernels" in capsys.readouterr().out
    write(folder, cpu="x86-64-v3")
    assert kernel_package.main([]) == 0
    assert "compiled for x86-64-v3, are used" in capsys.readouterr().out
    write(folder, numba="0.1")
    assert kernel_package.main([]) == 0
    assert "compiled by Numba 0.1" in capsys.readouterr().out


def test_options_match_numba():
    """Functions called from Python have code for that, functions called by kernels do not, and both have the given
    options."""
    kernel = njit(nogil=True, error_model="numpy")(random_tours.py_func)
    assert (kernel.targetoptions["nogil"], kernel.targetoptions["error_model"]) == (True, "numpy")
    inner = kernel._numba_type_.dispatcher
    assert inner is not kernel
    assert inner.targetoptions == {**kernel.targetoptions, "no_cpython_wrapper": True}
    assert kernel._cache.cache_path is None, "only on demand"
    assert random_tours._cache.cache_path
