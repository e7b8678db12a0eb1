"""The scripts' types of frames (`assets/common/types.d.ts`) match the frames that Python writes."""

import re
from dataclasses import fields, replace
from typing import NamedTuple

import numpy as np
import pytest

from components.shell import assets
from data.collection import resolve
from data.collection.bounds import KnownBound
from runs.bounds.board import BoundState
from runs.imports.frame_checks import LAYOUTS
from runs.store.climb import build_climb_frame
from runs.store.live_tour import Head
from runs.store.run_file import Entry, RunWriter, make_state_entry
from runs.store.tour_timeline import build_film
from runs.web import instances
from solvers.algorithms.ants.explanations import allocate_choices
from solvers.core import events
from solvers.worker.frames import Frame, decode, encode_event_frame, encode_instance_frame
from tests.tables import each_row

#: Events that the stream sends: all but those that record climbs.
EVENTS = {
    each.__name__.lower(): each
    for each in vars(events).values()
    if isinstance(each, type) and issubclass(each, events.Event) and not each.__subclasses__() and not each.is_climb
}
#: Names of the values' and arrays' types; the scripts read 64-bit integers as doubles.
SCALARS = {str: "string", int: "number", float: "number", bool: "boolean", dict[str, str]: "Record<string, string>"}
ARRAYS = {
    "<i4": "Int32Array", "<i8": "Float64Array", "<f8": "Float64Array", "<f4": "Float32Array", "|u1": "Uint8Array",
    "<u2": "Uint16Array",
}  # fmt: skip

Members = dict[str, str]


class FrameType(NamedTuple):
    """The members of a frame's values and arrays: name, with ``?`` if it may be missing, to type."""

    values: Members
    arrays: Members


def split(text: str, separator: str) -> list[str]:
    """The parts of a type, split at separators outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "<{([") - (letter in ">})]")
        if letter == separator and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def members(body: str) -> Members:
    """The members between the braces of an interface."""
    return dict(tuple(map(str.strip, member.split(":", 1))) for member in split(body, ";"))


class Declared:
    """The declarations of the file."""

    def __init__(self, text: str) -> None:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
        self._interfaces = dict(re.findall(r"^interface (\w+) \{\n(.*?)^\}", text, re.DOTALL | re.MULTILINE))
        self._aliases = dict(re.findall(r"^type (\w+) = ([^;]+);", text, re.MULTILINE))

    def members(self, name: str) -> Members:
        """The members of an interface, or of an inline type in braces."""
        return members(name[1:-1] if name.startswith("{") else self._interfaces[name])

    def frames(self) -> dict[str, FrameType]:
        """Frames of each kind."""
        found = {}
        for kind, declared in self.members("Frames").items():
            named, values, arrays = split(re.fullmatch(r"Frame<(.*)>", declared, re.DOTALL)[1], ",")
            assert named == f'"{kind}"'
            found[kind] = FrameType(self.members(values), self.members(arrays))
        return found

    def options(self, declared: str) -> set[str]:
        """The alternatives of a type."""
        return set(split(self._aliases.get(declared, declared), "|"))


DECLARED = Declared((assets.FOLDER / "common" / "types.d.ts").read_text())
FRAMES = DECLARED.frames()


def value_names(names: set[str], declared: Members) -> set[str]:
    """Names of a frame's values, without ``at``, which any frame may have, if it is not declared."""
    return names if "at" in declared else names - {"at"}


def check(frames: list[Frame], declared: FrameType) -> None:
    """Compare frames with their type: each declared member occurs in a frame, and required members in all."""
    for part, entry in (("values", declared.values), ("arrays", declared.arrays)):
        there = [value_names(set(getattr(frame, part)), entry) for frame in frames]
        assert set.union(*there) == {name.rstrip("?") for name in entry}
        assert set.intersection(*there) == {name for name in entry if not name.endswith("?")}
    types = {name.rstrip("?"): DECLARED.options(declared) for name, declared in declared.arrays.items()}
    for frame in frames:
        for name, array in frame.arrays.items():
            assert ARRAYS[array.dtype.str] in types[name], name


def test_event_kinds_match_stream_and_routes():
    assert set(FRAMES) == {*EVENTS, "instance", "state", "climb", "head", "film", "instances", "bound"}


@each_row("kind", EVENTS)
def test_event_has_the_fields_of_its_class(kind):
    of_arrays = {each.name: each.type is np.ndarray for each in fields(EVENTS[kind])}
    dtypes = LAYOUTS[kind][1]
    assert FRAMES[kind].arrays == {name: ARRAYS[dtypes[name][0]] for name, is_array in of_arrays.items() if is_array}
    values = {each.name: SCALARS[each.type] for each in fields(EVENTS[kind]) if not of_arrays[each.name]}
    assert FRAMES[kind].values == values


@pytest.fixture(scope="module")
def known_instance():
    return resolve.load("burma14")


def test_an_instance(known_instance):
    """Instances: one with coordinates and an optimal tour, and a path with distances, ids and names of cities."""
    values = {"coordinates": None, "optimal_tour": None, "weights": np.zeros((14, 14), np.int32)}
    names = tuple("ABCDEFGHIJKLMN")
    path = {"start": 1, "end": 2, "fixed": ((3, 4),), "added": 1}
    other = replace(known_instance, kind="EXPLICIT", node_ids=np.arange(5, 19), names=names, **path, **values)
    check([decode(encode_instance_frame(each)) for each in (known_instance, other)], FRAMES["instance"])


def test_a_state():
    check([decode(make_state_entry("running", "").frame)], FRAMES["state"])


def moves() -> events.Moves:
    """The start of a climb of three cities, before any move."""
    zero, nothing = np.zeros(1, np.int32), np.zeros(0, np.int32)
    tours = np.arange(3, dtype=np.int32)[None]
    return events.Moves(zero, zero, zero, np.array([9]), np.array([True]), zero, tours, nothing, nothing, nothing)


def small_climb() -> events.Moves:
    """A climb of four cities with one recorded move."""
    zero, one = np.zeros(1, np.int32), np.ones(1, np.int32)
    tours = np.arange(4, dtype=np.int32)[None]
    move = zero, one + 1, zero, np.array([7]), np.array([1.5])
    return events.Moves(zero, zero, one, np.array([9]), np.array([True]), zero, tours, *move)


def edges() -> events.Edges:
    return events.Edges(0, np.array([[0, 1], [1, 2], [2, 0]], np.int32), np.full(3, 3, np.int32))


def explanations() -> list[events.Explanation]:
    """Frames of a construction of three cities."""
    lengths = np.ones(3, np.float32)
    return [
        allocate_choices(3, 0, 0, lucky=True),
        events.Deposits(0, lengths, lengths, lengths, np.ones(3, np.int32), np.ones(3, bool), 9, 1.0, 0.0, 1.0),
    ]


def steps() -> events.Steps:
    """Frames of a construction of two cities."""
    there_and_back = np.array([[0, 1], [1, 0]], np.int32)
    lengths, leaves = np.full(2, 3, np.int32), np.zeros(2, bool)
    return events.Steps(0, there_and_back, lengths, leaves, np.array([2], np.int32), np.zeros(1, np.uint8), -1)


def crossover() -> events.Crossover:
    """Frames of a child of three cities."""
    return events.Crossover(0, 4, 2, 11, 12, 30, np.full(3, 3, np.uint8), np.zeros((1, 2), np.int32))


def test_a_climb():
    answer = [
        [moves()],
        [small_climb()],
        [edges()],
        [*explanations(), edges()],
        [crossover(), edges()],
        [steps(), edges()],
    ]
    check(
        [decode(build_climb_frame(0, [encode_event_frame(each, 1.0) for each in climb])) for climb in answer],
        FRAMES["climb"],
    )


def test_a_head():
    heads = [Head(0, 0, 9, 1.0, "moves", moves().tours[0]), Head(0, 0, 9, 1.0, "edges", edges().edges)]
    check([decode(head.frame()) for head in heads], FRAMES["head"])


def test_a_bound():
    states = [BoundState(), BoundState("done", KnownBound(((0.5, 3, 7),), 1.0, 4, ended=True))]
    check([decode(state.frame(str)) for state in states], FRAMES["bound"])


def test_a_film(tmp_path, known_instance):
    path = tmp_path / "run.tourscope"
    writer = RunWriter.create(path, "abcdefghijkl", 5.0, "{}", encode_instance_frame(known_instance))
    tour = events.Tour(known_instance.optimal_tour, 3323, 0)
    writer.append([Entry(6.0, "tour", encode_event_frame(tour, 6.0))])
    writer.finish()
    check([decode(build_film(path))], FRAMES["film"])


def test_the_instance_list(known_instance):
    one = decode(instances.card_frame({"name": "burma14"}, known_instance))
    card, facts = resolve.instance_list()[0], DECLARED.members("CardFacts")
    listed = decode(instances.list_frame((card, replace(card, source="folder"))))
    check([one, listed], FRAMES["instances"])
    for entry in (*one.values["cards"], *listed.values["cards"]):
        assert set(entry) == set(facts)
