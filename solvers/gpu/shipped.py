"""GPU kernels that come with the package, for each GPU generation; `runs.engine.gpu_kernel_package` builds them.

Because kernels are code, they are loaded only from the package's own folder, and only if they are listed in its
manifest and unchanged. Plain Python; `solvers.gpu.kernel_cache` loads them, and has Numba compile all other kernels.
"""

import hashlib
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from solvers.kernels.cache import hash_sources, numba_cuda_version
from solvers.kernels.manifest import read_listed, read_manifest

#: The folder of the kernels and their manifest.
FOLDER = Path(__file__).resolve().parent.parent / "compiled_gpu"


@dataclass(frozen=True, slots=True)
class GpuBuild:
    """The sources and the version of numba-cuda from which kernels were compiled.

    Attributes
    ----------
    sources : str
        Hash of the sources, see `solvers.kernels.cache.hash_sources`.
    numba_cuda : str
        Version of numba-cuda, which decides how a kernel receives its arguments.
    files : dict of str to str
        The SHA-256 of each file, by its path in the folder: ``9.0/NAME`` is a kernel for one generation.
    """

    sources: str
    numba_cuda: str
    files: dict[str, str]

    def refusal(self) -> str:
        """Return why this process cannot use the kernels, in one sentence; empty if it can."""
        for word, theirs, ours in (
            ("from sources", self.sources, hash_sources()),
            ("by numba-cuda", self.numba_cuda, numba_cuda_version()),
        ):
            if theirs != ours:
                return f"The GPU kernels were compiled {word} {theirs}; here it is {ours}."
        return ""

    def generations(self) -> list[str]:
        """Return the compute capabilities for which there are kernels, in ascending order."""
        return sorted({path.partition("/")[0] for path in self.files}, key=lambda text: [*map(int, text.split("."))])

    def load(self, name: str, capability: tuple[int, int]) -> tuple[str, bytes] | None:
        """Return a kernel's function name and its machine code; None if there is no trusted kernel.

        Parameters
        ----------
        name : str
            See `kernel_name`.
        capability : tuple of int
            The GPU's compute capability. A GPU runs code for its own capability, or for a lower one with the same first
            number.
        """
        for minor in range(capability[1], -1, -1):
            content = read_listed(FOLDER, f"{capability[0]}.{minor}/{name}", self.files)
            if content is not None:
                entry, _, code = zlib.decompress(content).partition(b"\n")
                return entry.decode("ascii"), code
        return None


def describe_process() -> GpuBuild:
    """Describe a build that this process would make, without its kernels."""
    return GpuBuild(hash_sources(), numba_cuda_version(), {})


def encode(entry: str, code: bytes) -> bytes:
    """Encode a kernel's function name and machine code, as `GpuBuild.load` reads them."""
    return zlib.compress(entry.encode("ascii") + b"\n" + code, 9)


def kernel_name(key: tuple, types: Any) -> str:
    """Return a kernel's name in the folder, given its cache key and the Numba types of its arguments."""
    return hashlib.sha256(repr((key, *map(str, types))).encode()).hexdigest()[:24]


def read_build() -> GpuBuild | None:
    """Read the manifest; return None if it is missing or damaged."""
    return read_manifest(FOLDER, GpuBuild)


@cache
def find_usable_build() -> GpuBuild | None:
    """Return the build whose kernels this process can load, if any."""
    build = read_build()
    return None if build is None or build.refusal() else build
