"""The folder of compiled kernels: in the user's cache, named by a hash of the sources.

Numba notices a change of the file that defines a cached function, but not of the files whose functions it calls. A
folder for each state of the sources cannot be stale.
"""

import hashlib
import os
import sys
import tempfile
from pathlib import Path

_SOURCES = Path(__file__).resolve().parent.parent


def cache_home() -> Path:
    """The user's cache folder of this program: ``TOURSCOPE_CACHE``, or the system's usual place."""
    if named := os.environ.get("TOURSCOPE_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    else:
        base = os.environ.get("XDG_CACHE_HOME")
    return Path(base) / "tourscope" if base else Path.home() / ".cache" / "tourscope"


def sources_hash() -> str:
    """Hash of every source file below ``solvers``, 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sorted(_SOURCES.rglob("*.py")):
        digest.update(str(path.relative_to(_SOURCES)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def use_cache() -> None:
    """Point Numba at the folder for these sources, unless ``NUMBA_CACHE_DIR`` is set."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    folder = cache_home() / f"kernels-{sources_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"tourscope-{os.getuid() if hasattr(os, 'getuid') else ''}" / folder.name
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = str(folder)
