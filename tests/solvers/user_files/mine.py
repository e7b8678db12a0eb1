"""Files of users for tests, made of the template."""

from pathlib import Path

from solvers.check.cli import TEMPLATE


def written(folder: Path, *changes: tuple[str, str], name: str = "mine.py") -> Path:
    """The template with some changes, as a file."""
    text = TEMPLATE.read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    path = folder / name
    path.write_text(text)
    return path
