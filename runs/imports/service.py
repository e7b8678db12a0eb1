"""The server's side of uploads, and of instances stored from them."""

import contextlib
import json
import secrets
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from data.collection import resolve, uploads
from data.collection.instance_reference import parse
from data.collection.proofs import attach_proof
from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_PAGE_CITIES
from data.recognition import stem
from data.tables.table import Column, Table
from data.tsplib.normal_form import reduce_to_line
from runs.bounded_pool import require_slow_thread
from runs.imports import untrusted_files
from runs.store.home import Home
from solvers.worker.frames import decode, decode_instance, encode_instance_frame

_MAX_FILENAME = 200
#: Maximum number of cached instances, and of their bytes in total; the newest instance is always cached.
_MAX_RECENT, _MAX_RECENT_BYTES = 4, 32 << 20


class ImportService:
    """Imports files into a data folder through sandbox processes; refused files leave no trace.

    Attributes
    ----------
    home : Home
    """

    def __init__(self, home: Home) -> None:
        self.home = home
        self._recent: dict[str, Instance] = {}  # by the JSON of their references
        self._recent_lock, self._loading_lock = threading.Lock(), threading.Lock()
        self._store_lock = threading.Lock()
        self._picture_lock = threading.Lock()

    @property
    def instance_folders(self) -> tuple[Path, Path]:
        """Folders of uploads and of optima proven here."""
        return self.home.instances, self.home.proofs

    def instance(self, reference: dict[str, Any]) -> Instance:
        """Find the instance of a spec, with its optimum if it was proven here; see `data.collection.resolve`.

        Large instances are loaded in a process, each once for all requests.

        Raises
        ------
        InvalidInstance
        TakesLong
            See `runs.bounded_pool.run_in_thread`.
        """
        return attach_proof(self._find_instance(reference), self.home.proofs)

    def _find_instance(self, reference: dict[str, Any]) -> Instance:
        is_large, key = resolve.is_large(reference, self.home.instances), json.dumps(reference, sort_keys=True)
        if recent := self._recent.get(key):
            return recent
        if not is_large:
            instance = resolve.resolve(reference, self.home.instances)
            return self._cache(key, instance) if instance.source == "uploaded" else instance
        match parse(reference):
            case ("generate", (_, n, _)) if n > MAX_PAGE_CITIES:
                sentence = f"A page shows at most {MAX_PAGE_CITIES:,} cities; the command line and Python take more."
                raise InvalidInstance("LIMIT", sentence)
        require_slow_thread()
        with self._loading_lock:  # one at a time, since each takes much memory
            self._evict(key, 0)
            return self._recent.get(key) or self._cache(key, self._load(reference))

    def _load(self, reference: dict[str, Any]) -> Instance:
        given = {"reference": reference, "uploads": str(self.home.instances)}
        with untrusted_files.read_upload("stored", self.home.incoming, {}, **given) as folder:
            return decode_instance(decode((folder / "frame").read_bytes()))

    def _cache(self, key: str, instance: Instance) -> Instance:
        self._evict(key, instance.memory)
        with self._recent_lock:
            self._recent[key] = instance
        return instance

    def _evict(self, key: str, size: int) -> None:
        """Evict the oldest cached instances until there is room for one of `size` bytes, unless it is cached."""
        with self._recent_lock:
            while (
                self._recent
                and key not in self._recent
                and (
                    len(self._recent) == _MAX_RECENT
                    or sum(each.memory for each in self._recent.values()) + size > _MAX_RECENT_BYTES
                )
            ):
                del self._recent[next(iter(self._recent))]

    def find_reference(self, reference: dict[str, Any], instance: Instance) -> dict[str, Any]:
        """Return a reference by which this server finds the instance: `reference` if valid, else a stored copy's.

        Parameters
        ----------
        reference : dict
            The reference in a run's spec; it may be unknown here if the run was imported.
        instance : Instance
        """
        with contextlib.suppress(InvalidInstance):
            match = self.instance(reference)
            if (match.sha256, match.name, match.names) == (instance.sha256, instance.name, instance.names):
                return reference
        require_slow_thread()
        with untrusted_files.read_upload(
            "written", self.home.incoming, {"frame": encode_instance_frame(instance)}
        ) as folder:
            upload = self._adopt(folder / f"{instance.sha256}.tsp")
        return uploads.make_reference(instance.sha256, upload)

    def change_instance(self, reference: dict[str, Any], **changes: Any) -> Instance:
        """Store a changed copy of an instance; see `runs.imports.file.changed`.

        Raises
        ------
        InvalidInstance, RunFailed
        TakesLong
            See `runs.bounded_pool.run_in_thread`.
        """
        require_slow_thread()
        with self._loading_lock:
            return self._import("changed", {}, reference=reference, uploads=str(self.home.instances), **changes)

    def _adopt(self, path: Path) -> str:
        with self._store_lock:
            return uploads.adopt(path, self.home.instances)

    def adopt_instance(self, raw: bytes, filename: str) -> Instance:
        """Import an uploaded instance in any format supported by `data.recognition.read`.

        Raises
        ------
        InvalidInstance, RunFailed
        """
        return self._import("instance", {"upload": raw}, name=reduce_to_line(filename, _MAX_FILENAME))

    def peek_table(self, raw: bytes) -> Table:
        """Return an uploaded table's columns without storing anything. See `data.tables.table.peek`.

        Raises
        ------
        InvalidInstance, RunFailed
        """
        with untrusted_files.read_upload("peek", self.home.incoming, {"upload": raw}) as folder:
            table = json.loads((folder / "table").read_text())
        columns = tuple(
            Column(each["name"], each["numeric"], tuple(each["sample"]), tuple(each["values"]))
            for each in table["columns"]
        )
        return Table(**{**table, "columns": columns, "guess": tuple(table["guess"])})

    def adopt_table(self, raw: bytes, filename: str, x: int, y: int, kind: str) -> Instance:
        """Import two columns of an uploaded table as an instance named after the file. See `data.tables.table.read`.

        Raises
        ------
        InvalidInstance, RunFailed
        """
        return self._import("columns", {"upload": raw}, name=stem(filename), x=x, y=y, kind=kind)

    def adopt_picture(
        self, picture: Path, filename: str, cities: int, contrast: float, invert: bool, seed: int
    ) -> Instance:
        """Move an uploaded picture and make an instance of it, named after the file; see `picture_cities`.

        Pictures are processed one at a time, since each keeps all cores busy for seconds.

        Raises
        ------
        InvalidInstance, RunFailed
        """
        options = {"cities": cities, "contrast": contrast, "invert": invert, "seed": seed}
        with self._picture_lock:
            return self._import("picture", {"upload": picture}, name=stem(filename) or "picture", **options)

    def adopt_run(self, source: Path) -> str:
        """Import an uploaded run file and return its new id.

        Parameters
        ----------
        source : Path
            The upload, alone in a folder in `incoming` that the caller removes.

        Raises
        ------
        runs.imports.untrusted_files.InvalidUpload
            If the upload is not a run file, or is damaged.
        """
        run = secrets.token_urlsafe(9)
        untrusted_files.adopt(source, run, self.home.new_path(run))
        return run

    def _import(self, reader: str, files: Mapping[str, bytes | Path], **arguments: Any) -> Instance:
        with untrusted_files.read_upload(reader, self.home.incoming, files, **arguments) as folder:
            instance = decode_instance(decode((folder / "frame").read_bytes()))
            instance = replace(instance, upload=self._adopt(folder / f"{instance.sha256}.tsp"))
        key = json.dumps(uploads.make_reference(instance.sha256, instance.upload), sort_keys=True)
        return attach_proof(self._cache(key, resolve.attach_optimum(instance)), self.home.proofs)

    def _read_tour(self, raw: bytes, instance: Instance, warnings: list[str]) -> list[int]:
        """Return an uploaded tour's cities in visiting order, numbered from 0."""
        files = {"upload": raw, "frame": encode_instance_frame(instance)}
        with untrusted_files.read_upload("tour", self.home.incoming, files) as folder:
            tour = decode((folder / "tour").read_bytes())
        warnings.extend(tour.values["warnings"])
        return tour.arrays["order"].tolist()
