"""Users' presets stored on the server, with their owners."""

import hashlib
from pathlib import Path

from runs.owners import Owners
from runs.visitors import current_visitor
from solvers.core.errors import DeviceUnavailable
from solvers.presets.preset_file import SUFFIX, OwnPreset, StoredPreset, list_presets, read_if_readable, write

#: Maximum number of presets per visitor, and in total.
MAX_EACH, MAX_PRESETS = 50, 1000


class NoSuchPreset(LookupError):
    """There is no such preset."""

    def __init__(self) -> None:
        super().__init__("There is no such preset.")


class Presets:
    """Stores presets, each in a file of the data folder.

    Parameters
    ----------
    folder : Path
        Folder of the presets; created with the first one.
    owners : Owners
    """

    def __init__(self, folder: Path, owners: Owners) -> None:
        self._folder, self._owners = folder, owners

    def save(self, preset: OwnPreset) -> str:
        """Save a preset for the current visitor, replacing theirs for this algorithm and name; return its id.

        Raises
        ------
        DeviceUnavailable
            If there are too many.
        """
        owner = current_visitor().id
        preset_id = _make_preset_id(owner, preset)
        path = self._make_path(preset_id)
        if not path.exists():
            count, own_count = self._count_presets(owner)
            if count >= MAX_PRESETS or (owner and not current_visitor().host and own_count >= MAX_EACH):
                raise DeviceUnavailable("There are too many presets already: delete one of them.")
        write(path, preset)
        self._owners.claim([f"preset:{preset_id}"], owner)
        return preset_id

    def list_visible(self, algorithm: str) -> list[StoredPreset]:
        """Return an algorithm's presets by name: the current visitor's and those without an owner."""
        return list_presets(algorithm, self._folder, self._is_visible)

    def get(self, preset: str) -> OwnPreset:
        """Return the preset with an untrusted id.

        Raises
        ------
        NoSuchPreset
        """
        ids = {path.name.removesuffix(SUFFIX) for path in self._folder.glob(f"*{SUFFIX}")}
        if preset not in ids or (stored := read_if_readable(self._make_path(preset))) is None:
            raise NoSuchPreset
        return stored

    def delete(self, preset: str) -> None:
        """Delete a preset.

        Raises
        ------
        NoSuchPreset, NotOwner
        """
        self.get(preset)
        self._owners.require(f"preset:{preset}")
        self._make_path(preset).unlink(missing_ok=True)
        self._owners.drop([f"preset:{preset}"])

    def _make_path(self, preset: str) -> Path:
        return self._folder / f"{preset}{SUFFIX}"

    def _is_visible(self, preset: str) -> bool:
        owner = self._owners.owner(f"preset:{preset}")
        return not owner or self._owners.is_owner(owner)

    def _count_presets(self, owner: str) -> tuple[int, int]:
        """Return the numbers of all presets and of one owner's."""
        ids = [path.name.removesuffix(SUFFIX) for path in self._folder.glob(f"*{SUFFIX}")]
        return len(ids), sum(self._owners.owner(f"preset:{preset_id}") == owner for preset_id in ids)


def _make_preset_id(owner: str, preset: OwnPreset) -> str:
    """Return the id of an owner's preset, given algorithm and name."""
    return hashlib.sha256("\0".join((owner, preset.algorithm, preset.name)).encode()).hexdigest()[:12]
