"""Manifests of the compiled kernels that come with the package, and the files that they list.

Because kernels are code, only files that a manifest lists, and that are unchanged, are read.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeVar

MANIFEST = "manifest.json"
_Build = TypeVar("_Build")


def write_manifest(folder: Path, build: Any) -> Any:
    """Write a build's manifest, which lists all files in subfolders; return the build with the files' hashes.

    Parameters
    ----------
    folder : Path
    build : dataclass instance
        `files` is replaced by the SHA-256 of each file, by its path in the folder.
    """
    files = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.glob("*/*"))
    }
    complete = replace(build, files=files)
    (folder / MANIFEST).write_text(json.dumps(asdict(complete), indent=0) + "\n", "utf-8")
    return complete


def read_manifest(folder: Path, kind: type[_Build]) -> _Build | None:
    """Read a folder's manifest as a dataclass; return None if it is missing or damaged."""
    try:
        return kind(**json.loads((folder / MANIFEST).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def read_listed(folder: Path, name: str, files: Mapping[str, str]) -> bytes | None:
    """Read a file from a folder; return None if it is missing, unlisted or changed.

    Parameters
    ----------
    folder : Path
    name : str
        The file's path in the folder.
    files : dict of str to str
        The SHA-256 of each listed file, by its path in the folder.
    """
    if name not in files:
        return None
    try:
        content = (folder / name).read_bytes()
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == files[name] else None
