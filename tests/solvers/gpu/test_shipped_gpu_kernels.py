"""GPU kernels shipped with the package: which are loaded and refused, and how they are built without a GPU."""

import hashlib
import json
import sys
from contextlib import nullcontext
from dataclasses import asdict, replace
from types import SimpleNamespace

import pytest
from numba import float32, int32

from runs.engine import gpu_kernel_package, gpu_kernels, kernel_package
from solvers.core.errors import DeviceUnavailable
from solvers.gpu import shipped
from solvers.gpu.kernel_cache import KeyedCache
from solvers.kernels import shipped as cpu_shipped
from solvers.kernels.manifest import MANIFEST

KEY, TYPES = ("module:factory", 128, True), (int32[:, ::1], float32)
NAME, OTHER = shipped.kernel_name(KEY, TYPES), shipped.kernel_name(("another",), TYPES)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "compiled_gpu")
    shipped.find_usable_build.cache_clear()
    yield shipped.FOLDER
    shipped.find_usable_build.cache_clear()


def write(folder, paths=(f"9.0/{NAME}",), **changes) -> None:
    """A folder with these files, each with its own path as code, and its manifest."""
    files = {}
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content := shipped.encode("entry", path.encode()))
        files[path] = hashlib.sha256(content).hexdigest()
    build = replace(shipped.describe_process(), files=files, **changes)
    (folder / MANIFEST).write_text(json.dumps(asdict(build)))


def load(capability=(9, 0), name=NAME):
    build = shipped.find_usable_build()
    return build and build.load(name, capability)


def test_what_the_manifest_lists_is_loaded(folder):
    assert load() is None, "there is none"
    write(folder)
    shipped.find_usable_build.cache_clear()
    assert load() == ("entry", f"9.0/{NAME}".encode())
    assert load(name=OTHER) is None


def test_a_gpu_gets_code_for_its_own_generation_or_an_earlier_one_of_its_kind(folder):
    write(folder, [f"{each}/{NAME}" for each in ("7.5", "8.0", "8.6", "9.0")])
    chosen = {each: load(each) for each in ((7, 0), (7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (10, 0))}
    codes = {each: found and found[1].decode().partition("/")[0] for each, found in chosen.items()}
    assert codes == {
        (7, 0): None, (7, 5): "7.5", (8, 0): "8.0", (8, 6): "8.6", (8, 9): "8.6", (9, 0): "9.0", (10, 0): None
    }  # fmt: skip


def test_a_kernel_has_another_name_for_other_options_and_types():
    names = [
        shipped.kernel_name(key, types)
        for key in (KEY, ("module:factory", 128, False), ("module:factory", 256, True))
        for types in (TYPES, (int32[:, :], float32), (int32[:, ::1], int32))
    ]
    assert len({*names}) == len(names)


def test_a_file_whose_hash_differs_is_not_loaded(folder):
    write(folder)
    (folder / f"9.0/{NAME}").write_bytes(shipped.encode("entry", b"other code"))
    assert load() is None


def test_a_file_that_the_manifest_does_not_list_is_not_loaded(folder):
    write(folder, [f"9.0/{OTHER}"])
    (folder / f"9.0/{NAME}").write_bytes(shipped.encode("entry", b"code"))
    assert load() is None
    (folder / f"9.0/{OTHER}").unlink()
    assert load(name=OTHER) is None, "a listed file that is gone"


@pytest.mark.parametrize("name", ["sources", "numba_cuda"])
def test_kernels_of_another_version_are_refused_in_a_sentence(name, folder):
    write(folder, **{name: "0.1"})
    assert load() is None
    assert "0.1; here it is" in shipped.read_build().refusal()


def test_it_is_said_whether_they_are_used(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cpu_shipped, "FOLDER", tmp_path / "compiled")
    write(folder, [f"{each}/{NAME}" for each in ("10.0", "7.5")])
    assert kernel_package.main([]) == 0
    assert "for compute capabilities 7.5, 10.0, are used" in capsys.readouterr().out
    write(folder, numba_cuda="0.1")
    assert kernel_package.main([]) == 0
    assert "compiled by numba-cuda 0.1" in capsys.readouterr().out


def test_without_the_compiler_none_are_built(folder, monkeypatch, capsys):
    monkeypatch.setattr(gpu_kernel_package, "can_compile", lambda: False)
    assert kernel_package.main(["build", "--gpu"]) == 2
    assert "tourscope[cuda12]" in capsys.readouterr().err
    assert not folder.exists()


def test_processes_share_the_work_and_replace_the_build_before(folder, monkeypatch):
    def start(share, new, place):
        """A process that compiles one kernel."""
        assert not folder.exists(), "it would load them"
        program = "import pathlib, sys; p = pathlib.Path(sys.argv[1]); p.parent.mkdir(exist_ok=True, parents=True); "
        return start_python(program + "p.write_bytes(b'')", str(new / f"9.0/{share.partition('/')[0]}"))

    write(folder)
    monkeypatch.setattr(gpu_kernel_package, "can_compile", lambda: True)
    monkeypatch.setattr(gpu_kernel_package, "cpu_threads", lambda: 2)
    monkeypatch.setattr(gpu_kernel_package, "available_bytes", lambda: 1 << 40)
    monkeypatch.setattr(gpu_kernel_package, "_start", start)
    build = gpu_kernel_package.build()
    assert sorted(build.files) == ["9.0/0", "9.0/1"]
    assert shipped.read_build() == build
    assert build.refusal() == ""


def test_a_process_that_fails_leaves_no_build(folder, monkeypatch):
    monkeypatch.setattr(gpu_kernel_package, "can_compile", lambda: True)
    monkeypatch.setattr(gpu_kernel_package, "_start", lambda *_: start_python("raise SystemExit(1)"))
    with pytest.raises(DeviceUnavailable):
        gpu_kernel_package.build()
    assert not folder.exists()


def start_python(program, *words):
    return gpu_kernel_package.subprocess.Popen([sys.executable, "-c", program, *words])


@pytest.mark.parametrize(("error", "hidden"), [(ZeroDivisionError, True), (AttributeError, False)])
def test_only_a_tour_that_the_simulated_gpu_lacks_is_no_fault(error, hidden, monkeypatch):
    """Lin-Kernighan's kernels were missing because the simulated GPU's arrays had no `gpu_data`."""

    def run(spec, instance):
        raise error

    monkeypatch.setattr(gpu_kernel_package, "SimulatedGpu", lambda *_: SimpleNamespace(insert=lambda: None))
    monkeypatch.setattr(gpu_kernel_package, "Capture", lambda *_: SimpleNamespace(hook=lambda: None))
    monkeypatch.setattr(gpu_kernel_package, "run_briefly", run)
    monkeypatch.setattr(gpu_kernel_package, "limit_time", lambda seconds: None)
    monkeypatch.setattr(KeyedCache, "save_overload", None, raising=False)
    with nullcontext() if hidden else pytest.raises(error):
        assert list(gpu_kernel_package.capture(gpu_kernels.list_runs()[:1])) == []


def test_a_generation_without_a_kernels_instructions_has_no_file(tmp_path):
    class Library:
        use_cooperative = False

        def get_cubin(self, cc):
            if cc < (8, 0):
                raise RuntimeError("ptxas refuses")
            return SimpleNamespace(code=b"code of %d.%d" % cc[:2])

    kernel = SimpleNamespace(_codelibrary=Library(), launch_config_sensitive=False, entry_name="entry")
    gpu_kernel_package.compile_for_all(NAME, kernel, tmp_path)
    found = {path.parent.name for path in tmp_path.glob("*/*")}
    assert found == {f"{a}.{b}" for a, b in gpu_kernel_package.CAPABILITIES if a >= 8}
    assert (tmp_path / f"9.0/{NAME}").read_bytes() == shipped.encode("entry", b"code of 9.0")


@pytest.mark.parametrize("name", ["use_cooperative", "launch_config_sensitive"])
def test_a_kernel_that_could_not_be_loaded_is_left_out(name, tmp_path):
    library = SimpleNamespace(use_cooperative=name == "use_cooperative", get_cubin=None)
    kernel = SimpleNamespace(_codelibrary=library, launch_config_sensitive=name == "launch_config_sensitive")
    gpu_kernel_package.compile_for_all(NAME, kernel, tmp_path)
    assert not list(tmp_path.iterdir())


def test_cities_too_far_apart_for_a_grid_have_kernels_too():
    far = [spec.stages[0].algorithm for spec in gpu_kernels.list_runs() if spec.instance == gpu_kernels._FAR]
    assert {*far} == {"simulated-annealing", "lin-kernighan"}
