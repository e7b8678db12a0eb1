"""Python and the scripts must agree on the files and formulas that both read or compute."""

import re
from dataclasses import replace

import numpy as np
import pytest

from components.library import query as library_query
from components.shell import facts, numbers
from data.collection import resolve
from data.distance_kinds import remeasure
from data.distances import edge_lengths, tour_length
from data.instance import KINDS, UNITS
from data.places.largest import largest
from data.rounding import choose_degrees_kind
from data.tables import column_names
from runs.library.search import ORDERS
from runs.store.climb import build_climb_frame
from runs.store.live_tour import Head
from runs.store.run_file import Entry, RunWriter
from runs.store.tour_timeline import Spread, build_film
from runs.web.downloads import download_headers
from solvers import SOLVERS
from solvers.bounds.moats import CITIES, PLANE
from solvers.core import events
from solvers.core.solver import plural
from solvers.worker.frames import encode, encode_event_frame, encode_instance_frame
from tests.assets.node import evaluate
from tests.naive import group_lengths
from tests.tables import each_row

pytestmark = pytest.mark.slow

FRAMES, FILM = "assets/common/frames.js", "assets/race/film.js"


def test_python_frames_are_read_correctly():
    arrays = {
        "small": np.array([[1, -2], [3, 4], [5, 6]], np.int32),
        "large": np.array([2**52 + 1, -7], np.int64),
        "real": np.array([0.5, -1e300]),
        "single": np.array([0.5, -2], np.float32),
        "short": np.array([0, 65535, 7], np.uint16),
        "byte": np.array([255], np.uint8),
        "flags": np.array([True, False, True]),
        "none": np.empty((0, 4), np.int32),
    }
    stream = encode("first", {"name": "Köln", "n": 3}, arrays) + encode("second", {"last": None}, {})
    first, second = evaluate(FRAMES, "({ frames }, bytes) => frames.split(bytes)", stream)
    assert (first["kind"], first["values"]) == ("first", {"name": "Köln", "n": 3})
    assert (second["kind"], second["values"], second["arrays"]) == ("second", {"last": None}, {})
    for name, array in arrays.items():
        assert first["arrays"][name] == array.ravel().tolist()
        assert first["shapes"][name] == list(array.shape)


def test_truncated_python_frames_are_refused():
    cut = encode("first", {}, {"a": np.arange(9, dtype=np.int32)})[:-8]
    refused = "({ frames }, bytes) => { try { frames.decode(bytes); return false; } catch { return true; } }"
    assert evaluate(FRAMES, refused, cut)


def test_frames_of_script_tests_match_python():
    written = evaluate(
        "tests/assets/encoded.js",
        """({ encode, joined }) => new Uint8Array(joined(
          encode("first", { name: "Köln", n: 3 }, {
            a: Int32Array.of(1, -2, 3), b: BigInt64Array.of(-7n), c: Uint16Array.of(9), d: Float64Array.of(0.5),
            e: new Int32Array(6), f: Uint8Array.of(1, 2), g: Float32Array.of(1.5),
          }, { e: [2, 3] }),
          encode("second", { last: null }, {}),
        ))""",
    )
    arrays = {
        "a": np.array([1, -2, 3], np.int32), "b": np.array([-7]), "c": np.array([9], np.uint16), "d": np.array([0.5]),
        "e": np.zeros((2, 3), np.int32), "f": np.array([1, 2], np.uint8), "g": np.array([1.5], np.float32),
    }  # fmt: skip
    stream = encode("first", {"name": "Köln", "n": 3}, arrays) + encode("second", {"last": None}, {})
    assert bytes(written) == stream


def moves(n: int = 12, count: int = 40, every: int = 16) -> tuple[list[events.Moves], list[np.ndarray], np.ndarray]:
    """A climb of random moves in pieces, as a solver reports it, and all of its tours and lengths."""
    rng = np.random.default_rng(3)
    ends = np.sort(np.stack([rng.choice(n, 2, replace=False) for _ in range(count)]), axis=1).astype(np.int32)
    delta = rng.integers(-50, 0, count).astype(np.int32)
    tours, lengths = [rng.permutation(n).astype(np.int32)], 5000 + np.concatenate([[0], np.cumsum(delta)])
    for i, j in ends:
        tour = tours[-1].copy()
        tour[i + 1 : j + 1] = tour[i + 1 : j + 1][::-1]
        tours.append(tour)
    answer = []
    for first in range(0, count, every):
        part = slice(first, min(count, first + every))
        size = np.array([part.stop - first], np.int32)
        zero = np.zeros(1, np.int32)
        answer.append(
            events.Moves(
                climber=zero,
                first=zero + first,
                count=size,
                length=lengths[first : first + 1],
                last=np.array([part.stop == count]),
                tour=zero,
                tours=tours[first][None],
                i=ends[part, 0],
                j=ends[part, 1],
                delta=delta[part],
            )
        )
    return answer, tours, lengths


def test_recorded_climb_replays_to_the_tours_of_its_moves():
    answer, tours, lengths = moves()
    frame = build_climb_frame(0, [encode_event_frame(each, 0.0) for each in answer])
    positions = [0, 1, 2, 17, 16, 15, 40, 39, 3, 0, 33, 31, 40, 0]
    walked = evaluate(
        (FRAMES, "assets/watch/climbs/climb.js"),
        """({ frames, decodeClimb }, bytes, positions) => {
          const climb = decodeClimb(frames.decode(bytes));
          return positions.map((k) => [[...climb.seek(k)], climb.lengths[k]]);
        }""",
        frame,
        positions,
    )
    assert walked == [[tours[k].tolist(), lengths[k]] for k in positions]


def test_ongoing_climb_continues_with_later_moves():
    answer, tours, lengths = moves()
    frames = [encode_event_frame(each, 0.0) for each in answer]
    known, rest = build_climb_frame(0, frames[:2]), build_climb_frame(0, frames, 32)
    complete, walked, last = evaluate(
        (FRAMES, "assets/watch/climbs/climb.js"),
        """({ frames, decodeClimb }, known, rest, positions) => {
          const climb = decodeClimb(frames.decode(known));
          const complete = climb.complete;
          climb.extend(frames.decode(rest));
          return [[complete, climb.complete], positions.map((k) => [...climb.seek(k)]), climb.lengths.at(-1)];
        }""",
        known,
        rest,
        [32, 40, 33, 5],
    )
    assert complete == [False, True]
    assert walked == [tours[k].tolist() for k in (32, 40, 33, 5)]
    assert last == lengths[-1]


def test_recorded_construction_explains_its_edges_and_lengths():
    edges = events.Edges(0, np.array([[0, 2], [1, 2], [1, 0]], np.int32), np.array([3, 4, 9], np.int32))
    count, walk, pairs, lengths = evaluate(
        (FRAMES, "assets/watch/climbs/climb.js"),
        """({ frames, decodeClimb }, bytes) => {
          const { count, walk, edges, lengths } = decodeClimb(frames.decode(bytes));
          return [count, walk, edges, lengths];
        }""",
        build_climb_frame(0, [encode_event_frame(edges, 0.0)]),
    )
    assert (count, walk, pairs, lengths) == (3, "edges", [0, 2, 1, 2, 1, 0], [0, 3, 7, 16])


PICTURES = """({ frames, Film }, heads, film, seconds) => {
  const shown = new Film();
  for (const head of heads) shown.add([frames.decode(head)]);
  if (film) shown.recorded(frames.decode(film));
  return [shown.at, seconds.map((at) => shown.picture(at)?.order ?? null)];
}"""


def test_film_contains_the_heads_encoded_by_python():
    tour = np.array([0, 1, 2, 3], np.int32)
    edges = np.stack((tour[::-1], np.roll(tour[::-1], -1)), axis=1)
    heads = [
        Head(0, 0, 90, 1.0, "moves", tour, elapsed=1.0),
        Head(0, 4, 80, 2.0, "edges", edges, elapsed=2.0),
        Head(0, 0, 70, 4.0, "moves", np.roll(tour, 1), elapsed=4.0),
    ]
    frames = [head.frame() for head in heads]
    at, orders = evaluate((FRAMES, FILM), PICTURES, frames, None, [0.5, 1, 2, 3, 99])
    assert at == [1, 2, 4]
    assert orders == [None, [0, 1, 2, 3], [3, 2, 1, 0], [3, 2, 1, 0], [3, 0, 1, 2]]


def test_recorded_film_precedes_later_heads(tmp_path):
    instance = resolve.load("burma14")
    path = tmp_path / "run.tourscope"
    writer = RunWriter.create(path, "abcdefghijkl", 5.0, "{}", encode_instance_frame(instance))
    first, second = instance.optimal_tour, np.roll(instance.optimal_tour, 3)
    for moment, tour in ((6.0, first), (7.0, second)):
        progress = {name: np.array([moment - 5]) for name in ("iteration", "evaluations", "elapsed")}
        answer = encode("progress", {"at": moment}, {**progress, "best": np.array([3323])})
        writer.append([Entry(moment, "progress", answer)])
        writer.append([Entry(moment, "tour", encode_event_frame(events.Tour(tour, 3323, 0), moment))])
    writer.finish()
    later = Head(0, 0, 3323, 9.0, "moves", np.arange(14, dtype=np.int32), elapsed=9.0)
    before = replace(later, elapsed=0.5, _frame=b"")
    recorded = build_film(path)
    at, orders = evaluate((FRAMES, FILM), PICTURES, [before.frame(), later.frame()], recorded, [2, 99])
    assert len(at) == 3
    assert at[-1] == 9
    assert orders == [second.tolist(), list(range(14))]


@each_row("seed", range(3))
def test_bursts_of_heads_are_spread_like_those_of_a_film(seed):
    rng = np.random.default_rng(seed)
    elapsed = np.cumsum(rng.choice([0, 0.0015, 0.003, 0.03, 0.5], 60))
    calls = np.split(elapsed, [7, 20, 33])
    spread = Spread()
    laid = []
    for call in calls:
        heads = [Head(0, 0, 1, 0.0, "moves", np.zeros(1, np.int32), elapsed=each) for each in call.tolist()]
        laid += [head.elapsed for head in spread.spread(heads)]
    answer = evaluate(
        FILM,
        """({ Film }, calls) => {
          const film = new Film();
          const head = (elapsed) => ({ values: { elapsed, length: 1, walk: "moves" }, arrays: { order: [0] } });
          for (const call of calls) film.add(call.map(head));
          return film.at;
        }""",
        [call.tolist() for call in calls],
    )
    assert answer == pytest.approx(laid, abs=1e-9)


FOLD = """({ Restarts }, lengths, evaluations, optimum, cut) => {
  const restarts = new Restarts(optimum);
  for (let at = 0; at < lengths.length; at += cut) {
    restarts.take({ length: lengths.slice(at, at + cut), evaluations: evaluations.slice(at, at + cut) });
  }
  const groups = restarts.whole().map(({ size, count, mean, best, worst }) => [size, count, mean, best, worst]);
  return { ...restarts, groups, bars: restarts.bins.bars(40) };
}"""


@each_row(("spread", "cut"), [(3, 1), (900, 37), (2_000_000, 512)])
def test_restarts_are_summarised_as_by_numpy(spread, cut):
    lengths = np.random.default_rng(spread).integers(10_000, 10_000 + spread, 2345)
    lengths[1000] += 7 * spread  # a late one, far away
    got = evaluate("assets/watch/restarts/restarts.js", FOLD, lengths.tolist(), [3] * 2345, 10_000, cut)
    assert (got["count"], got["sum"], got["best"]) == (2345, lengths.sum(), lengths.min())
    assert got["evaluations"] == 3 * 2345
    assert got["within"] == [(100 * lengths <= p * 10_000).sum() for p in (101, 102, 105)]
    assert [tuple(group) for group in got["groups"]] == group_lengths(lengths.tolist())
    start, width, counts = (got["bars"][name] for name in ("from", "width", "counts"))
    assert 1 <= len(counts) <= 40
    assert width == 1 or len(counts) > 19
    assert counts == np.histogram(lengths, start + width * np.arange(len(counts) + 1))[0].tolist()


def test_numbers_and_units_are_formatted_alike_everywhere():
    counts = [0, 1, 999, 1000, 24022, 123456789]
    words = sorted({word for solver in SOLVERS for word in facts.units(solver).values() if type(word) is str})
    units = [word for word in words if word.isalpha() and word.islower()] + ["try", "day", "pass", "branch"]
    answer = evaluate(
        "assets/common/format.js",
        "({ format }, counts, units) => [counts.map(format.cities), units.map(format.plural)]",
        counts,
        units,
    )
    assert answer == [list(map(facts.format_city_count, counts)), list(map(plural, units))]


def test_file_names_match_the_server():
    parts = [
        ["berlin52", "two-opt", 7542],
        ["../a b/ü?.tsp", "climbers"],
        ["köln", None, "x"],
        ["???", "--..--"],
        ["x" * 99, "a_b.c-d", "旅行"],
        ["climb", 0],
        ["", "race"],
        [" .. a", "-" * 70 + "b"],
        ["x" * 59 + ". y", None],
    ]
    named = [
        re.search('filename="(.*)"', download_headers(*each, suffix="")["Content-Disposition"])[1] for each in parts
    ]
    answer = evaluate(
        "assets/common/saving/download.js", "({ fileName }, parts) => parts.map((each) => fileName(...each))", parts
    )
    assert answer == named


def test_library_queries_match_the_server():
    """The search silently ignores a facet or order that either of them does not know."""
    searches = ["?q=%20two%20words%20&kind=run&tag=a&tag=b&sort=gap&up=0&lanes=1&from=1500", ""]
    searches += [f"?sort={order}" for order in (*ORDERS, "nothing&from=7")]
    facets, rows, most, orders, queries = evaluate(
        "assets/library/query.js",
        """(query, orders, searches) => [query.FACETS, query.PAGE_ROWS, query.MAX_ROWS,
          orders.map((order) => query.read(`?sort=${order}`).sort),
          searches.map((search) => query.write(query.read(search)).slice(1))]""",
        list(ORDERS),
        searches,
    )
    assert facets == list(library_query.FACETS)
    assert (rows, most) == (library_query.PAGE_ROWS, library_query.MAX_ROWS)
    assert orders == list(ORDERS)
    asked, plain, *others = map(library_query.parse_query, queries)
    assert [asked, plain, *others] == [library_query.parse_query(search.removeprefix("?")) for search in searches]
    assert (asked.text, asked.kinds, asked.tags) == ("two words", ("run",), ("a", "b"))
    assert (asked.order, asked.descending, asked.lanes) == ("gap", True, True)
    assert (asked.offset, asked.limit) == (1500, rows)
    assert (plain.order, plain.descending, plain.offset) == ("created", True, 0)


@each_row("name", ["integer", "signed", "percent", "si", "measure", "rate", "seconds", "span", "bytes"])
def test_numbers_are_formatted_alike(name):
    rng = np.random.default_rng()
    values = [0, 1, 1e15, 999, 1000, 59.95, 0.9995, 0.000995, 9.995, 999.5, 7200, 0.005, 1e-9, 0.125, 2.5, -0.5, -6.5]
    values += (rng.choice([1, 1, 1, -1], 200) * 10 ** rng.uniform(-9, 15, 200)).tolist()
    values += rng.uniform(0, 1e4, 200).round(int(rng.integers(4))).tolist()
    if name in ("si", "rate", "seconds", "span", "bytes"):
        values = [abs(value) for value in values]
    if name in ("si", "rate", "bytes"):
        values = [value for value in values if value == 0 or value > 1e-3]
    every = "({ format }, name, values) => values.map((value) => format[name](value))"
    written = evaluate("assets/common/format.js", every, name, values)
    function = (lambda value: f"{numbers.format_si(value)}/s") if name == "rate" else getattr(numbers, f"format_{name}")
    assert dict(zip(values, written, strict=True)) == {value: function(value) for value in values}


def test_decimals_are_formatted_alike():
    values = [0, 0.125, 2.5, -0.6, 1234.5678, 0.045, 1e-9]
    written = evaluate(
        "assets/common/format.js",
        "({ format }, values) => values.map((value) => [0, 1, 2, 3].map((digits) => format.fixed(value, digits)))",
        values,
    )
    assert written == [[numbers.format_fixed(value, digits) for digits in range(4)] for value in values]


DEGREES, UNITS_JS = "assets/draw/degrees.js", "assets/common/map/units.js"


def test_words_for_coordinates_and_units_match_python():
    words, units = evaluate((DEGREES, UNITS_JS), "({ PLANE, GLOBE, UNITS }) => [[PLANE, GLOBE], UNITS]")
    assert words == [column_names.PLANE, column_names.GLOBE]
    assert units == UNITS
    names = [
        "stopLat",
        "L\u00e4ngengrad (\u00b0)",
        "szeroko\u015b\u0107_geogr",
        "X-Koordinate 2",
        "\u0428\u0438\u0440\u043e\u0442\u0430",
        "",
    ]
    assert evaluate(DEGREES, "({ splitWords }, names) => names.map(splitWords)", names) == [
        *map(column_names.split_words, names)
    ]


def test_degrees_and_their_units_are_detected_as_in_python():
    rng = np.random.default_rng(5)
    tables = [
        (rng.normal(size=(8, 2)) * spread + middle).round(digits).tolist()
        for middle in ((50, 10), (0.5, 0.5), (-33, 151), (20, 30), (0, 0), (85, 178))
        for spread in (0.001, 0.2, 2, 20, 60)
        for digits in (0, 1, 5)
    ]
    looks = "({ lookLikeDegrees, degreesKind }, tables) => tables.map((table) => [lookLikeDegrees(table, true),"
    looks += " lookLikeDegrees(table, false), degreesKind(table.map(([a, b]) => [b, a]))])"
    found = evaluate(DEGREES, looks, tables)
    assert found == [
        [
            *(column_names.look_like_degrees(table, named) for named in (True, False)),
            choose_degrees_kind(np.array(table)),
        ]
        for table in tables
    ]
    for k, values in enumerate(zip(*found, strict=True)):
        assert len({*values}) == 2, k


MEASURED = ("assets/common/frames.js", "assets/common/map/map.js", "assets/common/map/lengths.js")


@each_row("name", ["berlin52", "att48", "burma14", "bays29", "br17", "HAVERSINE_KM", "HAVERSINE_M"])
def test_lengths_of_tours_and_exchanges_match_python(name):
    """The page measures a person's own tours and exchanges."""
    instance = remeasure(largest("fr", 30), name) if name in KINDS else resolve.load(name)
    order = np.random.default_rng(7).permutation(instance.n)
    measured = """({ frames, makeMap, tourLength, moveDelta }, bytes, order) => {
      const map = makeMap(frames.decode(bytes));
      return [tourLength(map, order, true), tourLength(map, order), moveDelta(map, order, 2, 9)];
    }"""
    closed, path, change = evaluate(MEASURED, measured, encode_instance_frame(instance), order.tolist())
    assert closed == tour_length(instance, order)
    assert path == edge_lengths(instance, order[:-1], order[1:]).sum()
    if not instance.directed:
        after = np.concatenate((order[:3], order[3:10][::-1], order[10:]))
        assert change == tour_length(instance, after) - closed


def test_zones_and_moats_are_offered_where_they_can_be_computed():
    offered = evaluate("assets/watch/bound/zones.js", "({ KINDS, CITIES }) => [KINDS, CITIES]")
    assert offered == [[*PLANE], [*CITIES]]
