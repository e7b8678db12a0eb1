"""Describes the machine and the software of a measurement."""

import os
import platform
import subprocess
import time
from pathlib import Path
from typing import Any

from solvers.core.devices import cpu_name, cpu_threads
from solvers.run import find_versions

#: In an archive, git replaces this file's contents by the commit.
_ARCHIVED = Path("benchmarks", "archived_commit.txt")


def describe_machine() -> dict[str, Any]:
    """Return the properties of a machine that matter for a result, without the names of the machine and its user."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "cpu": cpu_name(),
        "threads": cpu_threads(),
        "system": f"{platform.system()} {platform.machine()}",
        "load_1_minute": load,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "commit": find_commit(Path(__file__).parent.parent),
        "versions": find_versions(),
    }


def find_commit(checkout: Path) -> str | None:
    """Return the commit of a checkout (with ``+`` if files differ) or of an archive; None if it is neither."""
    git = ["git", "-C", str(checkout)]
    try:
        head = subprocess.run(
            [*git, "rev-parse", "--show-toplevel", "--short=12", "HEAD"], capture_output=True, text=True, check=True
        )
        changed = subprocess.run([*git, "status", "--porcelain", "-uno"], capture_output=True, text=True, check=True)
        top, name = head.stdout.splitlines()
        if Path(top).samefile(checkout):
            return name + "+" * bool(changed.stdout)
    except (OSError, subprocess.CalledProcessError):
        pass
    archived = checkout / _ARCHIVED
    name = archived.read_text().strip() if archived.exists() else "$"
    return None if name.startswith("$") else name[:12]
