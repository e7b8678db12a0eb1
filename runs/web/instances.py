"""The instance list, ``GET instances``: facts and a small map of each instance, in one response.

The response is one ``instances`` frame. Its value ``cards`` is a list of objects {reference, name, n, kind, optimum,
proven, tour, source, comment, scaled, closed, date_line, directed, missing}; its arrays are ``positions`` (k, 2)
uint16, x to the right and y upwards, and ``starts`` (cards + 1,) int32: card c has the rows starts[c] to starts[c + 1].
``scaled`` says whether the map is computed from distances alone, ``closed`` whether the rows are all cities in the
order of an optimal tour. ``date_line`` gives x for 180 degrees west and east on a map of the globe, else null.
``missing`` is a sentence with the number of missing edges.

For instances in the user's folder, only the facts from the files' headers are sent; ``GET instances?ref={reference}``
returns the card of a single instance with its positions.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from fastapi import APIRouter
from fastapi.responses import Response

from data import plain_json
from data.collection import resolve
from data.collection.proofs import attach_proof
from data.collection.resolve import Card
from data.errors import InvalidInstance
from data.instance import Instance
from data.missing import describe_missing
from data.paths import has_directions
from runs.computing.answer import FRAME, Answer
from runs.service import RunService
from solvers.worker.frames import encode, encode_instance_frame

#: Maximum number of positions sent for one instance.
MAX_CITIES = 600
#: Maximum number of cities for which loading an instance is faster than starting a process.
_MAX_FAST_CITIES = 2500
#: Length of a map's longer side.
SIDE = 65_535

Entry = tuple[dict[str, Any], np.ndarray]


def add_route(router: APIRouter, run_service: RunService) -> None:
    """Add the route ``GET instances``."""

    @router.get("/instances")
    def list_or_card(ref: str | None = None) -> Response:
        if ref is not None:
            return compute("card", run_service, ref)
        cards = tuple(resolve.instance_list())
        return run_service.computations.answer(f"{__name__}:list_all", version=cards)


def compute(function: str, run_service: RunService, ref: str) -> Response:
    """Answer a question about an instance with a function of this module."""
    folders = [str(folder) for folder in run_service.instance_folders]
    if function == "frame" and _is_small(_read_reference(ref)):
        return Response(frame(ref, *folders).content, media_type=FRAME)
    return run_service.computations.answer(f"{__name__}:{function}", ref, *folders, version=None)


def _is_small(reference: Any) -> bool:
    """Return whether a reference is to a small instance in the list."""
    name = reference.get("name") if isinstance(reference, dict) and len(reference) == 1 else None
    return any(
        card.name == name and card.n <= _MAX_FAST_CITIES and card.source == "bundled"
        for card in resolve.instance_list()
    )


def frame(ref: str, *folders: str) -> Answer:
    """Return an instance's ``instance`` frame; the folders hold uploads and proofs.

    Raises
    ------
    InvalidInstance
    """
    return Answer(encode_instance_frame(_find(_read_reference(ref), *folders)))


def card(ref: str, *folders: str) -> Answer:
    """Return a single instance's ``instances`` frame.

    Raises
    ------
    InvalidInstance
    """
    reference = _read_reference(ref)
    return _with_etag(card_frame(reference, _find(reference, *folders)))


def list_all() -> Answer:
    """Return the ``instances`` frame of all listed instances."""
    return _with_etag(list_frame(tuple(resolve.instance_list())))


def _with_etag(frame: bytes) -> Answer:
    tag = f'"{hashlib.sha256(frame).hexdigest()[:32]}"'
    return Answer(frame, headers={"ETag": tag, "Cache-Control": "no-cache"})


def _find(reference: Any, uploads: str, proofs: str) -> Instance:
    return attach_proof(resolve.resolve(reference, Path(uploads)), Path(proofs))


def _read_reference(text: str) -> Any:
    """Return the reference in a URL.

    Raises
    ------
    InvalidInstance
        ``REFERENCE``, if it is not JSON.
    """
    try:
        return plain_json.loads(text)
    except ValueError:
        raise InvalidInstance("REFERENCE", "The reference of an instance is a JSON object.") from None


def list_frame(cards: Sequence[Card]) -> bytes:
    """Encode the whole instance list as a frame."""
    return _encode_frame(
        [_make_bundled_entry(card) if card.source == "bundled" else _make_unread_entry(card) for card in cards]
    )


def card_frame(reference: dict[str, Any], instance: Instance) -> bytes:
    """Encode an instance as a frame."""
    return _encode_frame([_make_entry(reference, instance)])


def positions(instance: Instance) -> np.ndarray:
    """Return the positions of up to `MAX_CITIES` cities on a map, always the same ones.

    Returns
    -------
    ndarray, shape (k, 2), uint16
        Equal scale for x and y, the longer side from 0 to `SIDE`; in the order of the optimal tour if one is known and
        no city is left out.
    """
    low, scale = _map_scale(instance)
    return np.rint((instance.display - low) * scale).astype(np.uint16)[_choose_drawn_cities(instance)]


def degree_aspect(positions: np.ndarray) -> float:
    """Return a degree's height relative to its width, as on the map (`assets/common/map/map.js`)."""
    middle = (positions[:, 1].min() + positions[:, 1].max()) / 2
    return float(1 / max(0.1, np.cos(np.radians(middle))))


def _map_scale(instance: Instance) -> tuple[np.ndarray, np.ndarray]:
    """Return the cities' least x and y, and the scale of each axis on the map."""
    low = instance.display.min(axis=0)
    shape = np.array((1.0, degree_aspect(instance.display) if instance.is_on_globe else 1.0))
    return low, shape * (SIDE / (((instance.display - low) * shape).max() or 1.0))


def _find_date_line(instance: Instance) -> list[float] | None:
    if not instance.is_on_globe:
        return None
    low, scale = _map_scale(instance)
    return ((np.array([-180.0, 180.0]) - low[0]) * scale[0]).tolist()


def _choose_drawn_cities(instance: Instance) -> np.ndarray:
    if instance.n > MAX_CITIES:
        rng = np.random.Generator(np.random.Philox(np.random.SeedSequence(0)))
        return np.sort(rng.choice(instance.n, MAX_CITIES, replace=False))
    return np.arange(instance.n) if instance.optimal_tour is None else instance.optimal_tour


def _make_bundled_entry(card: Card) -> Entry:
    return _make_entry({"name": card.name}, resolve.load(card.name))


def _make_unread_entry(card: Card) -> Entry:
    facts = _list_facts({"name": card.name}, card) | {"tour": card.has_optimal_tour, "scaled": False}
    facts |= {"closed": False, "date_line": None}
    return facts, np.empty((0, 2), np.uint16)


def _make_entry(reference: dict[str, Any], instance: Instance) -> Entry:
    has_tour = instance.optimal_tour is not None
    map_facts = {
        "tour": has_tour,
        "scaled": bool(instance.display_note),
        "closed": has_tour and instance.n <= MAX_CITIES,
    }
    return _list_facts(reference, instance) | map_facts | {"date_line": _find_date_line(instance)}, positions(instance)


def _list_facts(reference: dict[str, Any], instance: Card | Instance) -> dict[str, Any]:
    names = ("name", "n", "kind", "optimum", "proven", "source", "comment", "directed")
    facts = {name: getattr(instance, name) for name in names} | {"reference": reference, "missing": ""}
    if isinstance(instance, Instance):
        facts |= {
            "missing": describe_missing(instance.missing, instance.edge_count),
            "directed": has_directions(instance),
        }
    return facts


def _encode_frame(entries: Sequence[Entry]) -> bytes:
    starts = np.cumsum([0, *(len(rows) for _, rows in entries)], dtype=np.int32)
    rows = np.concatenate([np.empty((0, 2), np.uint16), *(rows for _, rows in entries)])
    return encode("instances", {"cards": [facts for facts, _ in entries]}, {"starts": starts, "positions": rows})
