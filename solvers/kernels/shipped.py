"""Kernels that come with the package, which `runs.engine.kernel_package` compiles for baseline CPUs.

Because kernels are code, they are loaded only from the package's own folder, and only if they are listed in its
manifest and unchanged. They are Numba's own files; other kernels are compiled for this machine, and stored in the
user's cache.
"""

import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
from numba.core import caching

from solvers.kernels.cache import hash_kernels
from solvers.kernels.manifest import read_listed, read_manifest

# Numba declares the types of only some of its attributes.
_config: Any = numba.config
_NumbasIndex: Any = caching.IndexDataCacheFile
#: The folder of the kernels and their manifest.
FOLDER = Path(__file__).resolve().parent.parent / "compiled"


@dataclass(frozen=True, slots=True)
class Build:
    """The sources and versions from which kernels were compiled, and the CPU for which they were.

    Attributes
    ----------
    sources : str
        Hash of the sources, see `solvers.kernels.cache.hash_kernels`.
    python, numba, llvmlite : str
        Versions of Python and the packages.
    triple, cpu, features : str
        The system, the CPU and its instructions, as LLVM names them: ``+avx2,+fma``.
    files : dict of str to str
        The SHA-256 of each file, by its path in the folder.
    faster : list of str
        Another CPU and its instructions, for which some kernels were compiled too; empty if there is none.
    """

    sources: str
    python: str
    numba: str
    llvmlite: str
    triple: str
    cpu: str
    features: str
    files: dict[str, str]
    faster: list[str] = field(default_factory=list)

    @property
    def magics(self) -> list[tuple[str, ...]]:
        """The part of Numba's cache keys that names the CPU, for each CPU of the build, the faster one first."""
        better = [self.faster] if self.faster and not _find_lacking(self.faster[1]) else []
        return [(self.triple, *cpu) for cpu in (*better, (self.cpu, self.features))]

    def refusal(self) -> str:
        """Return why this process cannot use the kernels, in one sentence; empty if it can."""
        here = describe_process(self.cpu, self.features)
        for name, word in _WORDS.items():
            if (theirs := getattr(self, name)) != (ours := getattr(here, name)):
                return f"They were compiled {word} {theirs}; here it is {ours}."
        lacking = _find_lacking(self.features)
        return f"This CPU lacks instructions that they use: {', '.join(lacking)}." if lacking else ""


#: Attributes that must be equal, and the words for them in a refusal.
_WORDS = {"sources": "from sources", "python": "for", "numba": "by Numba", "llvmlite": "by llvmlite", "triple": "for"}


def describe_process(cpu: str, features: str) -> Build:
    """Describe a build that this process would make for such CPUs, without its files."""
    versions = numba.__version__, llvmlite.__version__, llvm.get_process_triple()
    return Build(hash_kernels(), str(sys.implementation.cache_tag), *versions, cpu, features, {})


def _find_lacking(features: str) -> list[str]:
    """Return those of the instructions that this CPU lacks."""
    return [name for name in features.split(",") if name[:1] == "+" and not _find_host_features().get(name[1:])]


@cache
def _find_host_features() -> dict[str, bool]:
    try:
        return dict(llvm.get_host_cpu_features())
    except RuntimeError:  # LLVM cannot detect the CPU on this system
        return {}


def read_build() -> Build | None:
    """Read the manifest; return None if it is missing or damaged."""
    return read_manifest(FOLDER, Build)


@cache
def find_usable_build() -> Build | None:
    """Return the build that this process can load, if any; ``NUMBA_CPU_NAME`` may request another."""
    build = read_build() if _config.CPU_NAME is None else None
    return None if build is None or build.refusal() else build


class IndexFile(_NumbasIndex):
    """A function's read-only index in the folder; its files are trusted if the manifest lists their hashes."""

    def __init__(self, subfolder: str, filename_base: str, source_stamp: Any) -> None:
        super().__init__(str(FOLDER / subfolder), filename_base, source_stamp)
        self._subfolder = subfolder

    def load(self, *keys: Any) -> Any:
        """Return the value of the first key that has a trusted value, or None."""
        if not self._is_intact(self._index_name):
            return None
        overloads = self._load_index()
        name = next((overloads[key] for key in keys if key in overloads), None)
        return self._load_data(name) if name and self._is_intact(name) else None

    def _is_intact(self, name: str) -> bool:
        build = find_usable_build()
        return build is not None and read_listed(FOLDER, f"{self._subfolder}/{name}", build.files) is not None
