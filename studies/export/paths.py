"""Where exports may go: not over the study, nor over what it is made from, nor over each other."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from solvers.cli.arguments import UsageError
from studies.file.reader import SUFFIX

#: What stands beside a study file while somebody works on it.
_BESIDE = ("-wal", "-shm", "-journal", ".lock", ".part")


def check_exports(exports: Mapping[str, Path], study: Path | None, sources: Iterable[Path]) -> None:
    """See whether exports can be written where they are to go, before anything is run for them.

    Parameters
    ----------
    exports : mapping of str to Path
        By the names of their options.
    study : Path or None
        The study file, where it is kept.
    sources : iterable of Path
        Files that the study is made from: its spec and instances.

    Raises
    ------
    UsageError
        If one would overwrite what must stay, or cannot be written there.
    """
    taken = {source.resolve(): "what the study is made from" for source in sources}
    if study is not None:
        taken |= {study.with_name(study.name + more).resolve(): "a part of the study" for more in _BESIDE}
        taken[study.resolve()] = "the study itself"
    for option, path in exports.items():
        said, place = f"--{option} {path!s:.200}", path.resolve()
        if path.suffix == SUFFIX:
            raise UsageError(f"{said} ends like a study: choose another ending.")
        if not path.absolute().parent.is_dir():
            raise UsageError(f"{said} is not in a folder that exists.")
        if (whose := _whose(place, taken)) is not None:
            raise UsageError(f"{said} is {whose}: choose another name.")
        if option == "iohprofiler" and path.exists():
            raise UsageError(f"{said} is there already: choose a new folder.")
        if path.is_dir():
            raise UsageError(f"{said} is a folder: choose the name of a file.")
        taken[place] = f"that of --{option} too"


def _whose(place: Path, taken: Mapping[Path, str]) -> str | None:
    """What a place is already, also by a second name of the same file."""
    if place in taken:
        return taken[place]
    there = [path for path in taken if place.exists() and path.exists() and path.samefile(place)]
    return taken[there[0]] if there else None
