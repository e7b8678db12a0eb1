"""Unpacks a backup into a new data folder.

The file is untrusted: all names, kinds and sizes in it are checked before anything is written. It is unpacked
into a new folder, which is moved into place in one step.
"""

import errno
import json
import os
import shutil
import stat
import struct
import zlib
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from data.home.backup import FORMAT, MANIFEST, BackupContents, is_plain
from data.home.errors import HomeRefused
from data.home.version import MARKER, mark_version, parse_version, refuse_newer
from data.lock import open_locked

#: Maximum number of files in a backup, and maximum size of its manifest in bytes.
MAX_FILES, MAX_MANIFEST = 1_000_000, 256 << 20
#: Bytes of disk space that must stay free.
_MIN_FREE = 64 << 20
_PIECE = 1 << 20
_ENCRYPTED = 1


def restore(source: Path, home: Path) -> BackupContents:
    """Unpack a backup.

    Parameters
    ----------
    source : Path
    home : Path
        The data folder to create; it may exist if it is empty.

    Raises
    ------
    HomeRefused
        If the folder is not empty, or the file is not a backup, damaged, from a newer release, larger than the free
        disk space, or contains anything but plain files below the folder, or if another process is restoring this
        folder. Nothing is changed in these cases.
    OSError
        If something cannot be read or written.
    """
    if home.is_symlink() or (home.exists() and (not home.is_dir() or any(home.iterdir()))):
        raise HomeRefused(f"{home} exists and is not empty: nothing is overwritten; choose another folder with --home.")
    home = home.absolute()
    home.parent.mkdir(parents=True, exist_ok=True)
    part, mark = (home.with_name(f".{home.name}.{suffix}") for suffix in ("part", "restore"))
    if (lock := open_locked(mark)) is None:
        raise HomeRefused(f"{home} is being restored by another process already.")
    try:
        shutil.rmtree(part, ignore_errors=True)  # left behind by a killed process
        with ZipFile(source) as archive:
            packed = _read_manifest(archive)
            _check_room(packed, home.parent)
            part.mkdir(mode=0o700)
            for name, (_, changed) in packed.files.items():
                _unpack(archive, name, part / name, changed)
        mark_version(part)
        if home.exists():
            home.rmdir()
        os.rename(part, home)
    except (BadZipFile, zlib.error, struct.error, EOFError, ValueError, NotImplementedError) as error:
        raise HomeRefused(f"{source.name} is not a backup of TourScope, or damaged.") from error
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        # a member's position is before the start of the file
        raise HomeRefused(f"{source.name} is not a backup of TourScope, or damaged.") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
        mark.unlink(missing_ok=True)
        os.close(lock)
    return packed


def _check_room(packed: BackupContents, folder: Path) -> None:
    if packed.bytes > shutil.disk_usage(folder).free - _MIN_FREE:
        raise HomeRefused(f"The disk has no room for the {packed.bytes / 1e6:,.0f} MB of this backup.")


def _read_manifest(archive: ZipFile) -> BackupContents:
    """Read a backup's manifest and check it against the zip.

    Raises
    ------
    HomeRefused
    BadZipFile
    """
    members = {info.filename: info for info in archive.infolist()}
    manifest = members.pop(MANIFEST, None)
    if manifest is None or manifest.file_size > MAX_MANIFEST or len(members) > MAX_FILES:
        raise BadZipFile("no manifest")
    _check_kind(manifest)
    try:
        value = json.loads(archive.read(manifest))
        version, home = parse_version(value), parse_version({"format": value["home"]})
    except (ValueError, KeyError, RecursionError) as error:
        raise BadZipFile("invalid manifest") from error
    refuse_newer(version, "The backup", FORMAT)
    refuse_newer(home, "The data folder in this backup")
    packed = BackupContents(_check_files(value.get("files")))
    if len(archive.infolist()) != len(members) + 1 or members.keys() != packed.files.keys():
        raise BadZipFile("other files than the manifest's")
    for name, info in members.items():
        _check_kind(info)
        if info.file_size != packed.files[name][0]:
            raise BadZipFile("another size than the manifest's")
    return packed


def _check_files(listed: Any) -> dict[str, tuple[int, int]]:
    """Check the manifest's files: plain paths, distinct on every system."""
    if not isinstance(listed, dict):
        raise BadZipFile("no files")
    files: dict[str, tuple[int, int]] = {}
    for name, facts in listed.items():
        if not is_plain(name) or (os.name == "nt" and ":" in name):
            raise HomeRefused(f"The backup has a file that is not below the data folder: {name!r:.80}.")
        size, changed = facts if isinstance(facts, list) and len(facts) == 2 else (None, None)
        if type(size) is not int or type(changed) is not int or size < 0 or not 0 <= changed < 2**63:
            raise BadZipFile("invalid facts")
        files[name] = (size, changed)
    folded = {name.casefold() for name in (*files, MARKER)}
    parents = {"/".join(parts[:k]) for parts in (name.split("/") for name in folded) for k in range(1, len(parts))}
    if len(folded) != len(files) + 1 or parents & folded:
        raise BadZipFile("two files in one place")
    return files


def _check_kind(info: ZipInfo) -> None:
    """Refuse links, folders, devices and encrypted members."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG) or info.is_dir():
        raise HomeRefused(f"The backup has something that is no plain file: {info.filename!r:.80}.")
    if info.flag_bits & _ENCRYPTED or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise BadZipFile("unknown method")


def _unpack(archive: ZipFile, name: str, target: Path, changed: int) -> None:
    """Write a file, reading no more than the declared size, and verify its checksum."""
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file, archive.open(name) as member:
        while piece := member.read(_PIECE):
            file.write(piece)
    os.utime(target, ns=(changed, changed))
