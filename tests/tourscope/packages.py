"""Builds the packages of this checkout, for tests of their contents and behaviour."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def build(kind: str, folder: Path, source: Path = ROOT) -> Path:
    """Build ``wheel`` or ``sdist`` from a source folder into another folder; return the file."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(folder)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built
