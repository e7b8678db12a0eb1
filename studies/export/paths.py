"""Checks export paths: none may overwrite the study, its sources or another export."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from commands.arguments import UsageError
from studies.file.reader import SUFFIX

#: Suffixes of the files that exist beside a study file in use.
_COMPANIONS = ("-wal", "-shm", "-journal", ".lock", ".part")


def check_exports(exports: Mapping[str, Path], study: Path | None, sources: Iterable[Path]) -> None:
    """Check before any run that the exports can be written.

    Parameters
    ----------
    exports : mapping of str to Path
        Paths by option name.
    study : Path or None
        The study file; None if it is temporary.
    sources : iterable of Path
        Files from which the study is read: its spec and instances.

    Raises
    ------
    UsageError
        If an export would overwrite one of these, or cannot be written.
    """
    used = {source.resolve(): "a source of the study" for source in sources}
    if study is not None:
        used |= {study.with_name(study.name + suffix).resolve(): "a part of the study" for suffix in _COMPANIONS}
        used[study.resolve()] = "the study itself"
    for option, path in exports.items():
        argument, target = f"--{option} {path!s:.200}", path.resolve()
        if path.suffix == SUFFIX:
            raise UsageError(f"{argument} ends like a study: choose another extension.")
        if not path.absolute().parent.is_dir():
            raise UsageError(f"{argument} is not in a folder that exists.")
        if (conflict := _find_conflict(target, used)) is not None:
            raise UsageError(f"{argument} is {conflict}: choose another name.")
        if option == "iohprofiler" and path.exists():
            raise UsageError(f"{argument} already exists: choose a new folder.")
        if path.is_dir():
            raise UsageError(f"{argument} is a folder: choose the name of a file.")
        used[target] = f"also the path of --{option}"


def _find_conflict(target: Path, used: Mapping[Path, str]) -> str | None:
    """Return what a path is already used for, even under another name of the same file."""
    if target in used:
        return used[target]
    matches = [path for path in used if target.exists() and path.exists() and path.samefile(target)]
    return used[matches[0]] if matches else None
