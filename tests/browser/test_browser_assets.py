"""The page's scripts, one by one, in a Chromium without a server: what they compute, and how the player behaves."""

import base64
import re
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from chromium import executable
from serving import PATIENCE

from components.shell import ids
from solvers.worker.frames import encode

pytestmark = [pytest.mark.browser, pytest.mark.skipif(executable() is None, reason="there is no Chromium")]

ASSETS = Path(__file__).resolve().parents[2] / "assets"
SCRIPTS = sorted(path for path in ASSETS.rglob("*.js") if not {"early", "vendor"} & set(path.parts))
#: The modules, but for those that start a page.
MODULES = [path.relative_to(ASSETS).as_posix() for path in SCRIPTS if path.name != "main.js"]
HOST = "http://assets.invalid/"
THIN, MINUS = "\u202f", "\u2212"

#: What stands in for the graph, the server and the socket: what is drawn and said is kept in lists.
STAGE = """
() => {
  window.dash_clientside = { set_props: () => {} };
  window.drawn = []; window.said = []; window.answers = {};
  TourScope.tour.draw = (picture) => {
    drawn.push({ ...picture, order: picture.order && [...picture.order] });
    return true;
  };
  TourScope.tour.showInstance = () => {};
  TourScope.stream.acknowledge = (number) => said.push(number);
  TourScope.stream.head = (on) => said.push(on);
  window.bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
  window.frame = (text) => TourScope.frames.decode(bytes(text));
  window.fetch = async (address) => {
    const text = answers[address.split("/").pop()];
    return { ok: Boolean(text), arrayBuffer: async () => bytes(text) };
  };
}
"""


@pytest.fixture(scope="module")
def blank(chromium):
    """A page with the scripts on it, and nothing else."""
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route(HOST + "**/*.js", lambda route: route.fulfill(path=ASSETS / route.request.url.removeprefix(HOST)))
    page.route(HOST, lambda route: route.fulfill(body="<body></body>", content_type="text/html"))
    page.goto(HOST)
    page.evaluate(
        """async (modules) => {
          const loaded = await Promise.all(modules.map((module) => import(`./${module}`)));
          window.TourScope = Object.assign({}, ...loaded);
        }""",
        MODULES,
    )
    page.evaluate(STAGE)
    yield page
    context.close()
    assert not errors


def text(frame: bytes) -> str:
    return base64.b64encode(frame).decode()


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("integer(24022)", f"24{THIN}022"),
        ("integer(-1204)", f"{MINUS}1{THIN}204"),
        ("signed(34)", "+34"),
        ("signed(0)", "±0"),
        ("percent(2.35)", "+2.35 %"),
        ("percent(12.94)", "+12.9 %"),
        ("percent(9014.3)", f"+9{THIN}014 %"),
        ("percent(0.0002)", "+0.0002 %"),
        ("gapSentence(24022, 21282, true)", "12.9 % above optimal"),
        ("gapSentence(24022, 21282, false)", "12.9 % above best known"),
        ("gapSentence(7542, 7542, true)", "optimal"),
        ("gapSentence(7542, null, false)", "no optimum known"),
        ("rate(1.24e9)", f"1.24{THIN}G/s"),
        ("rate(999.7)", f"1.00{THIN}k/s"),
        ("rate(NaN)", "–"),
        ("seconds(0.0015)", f"1.5{THIN}ms"),
        ("seconds(0.000317)", f"320{THIN}µs"),
        ("seconds(3.2)", f"3.20{THIN}s"),
        ("seconds(125)", f"2{THIN}min 05{THIN}s"),
        ("plural('climber')", "climbers"),
        ("plural('try')", "tries"),
    ],
)
def test_numbers_as_text(blank, call, expected):
    assert blank.evaluate(f"TourScope.format.{call}") == expected


def test_csv_has_no_text_that_a_spreadsheet_takes_for_a_formula(blank):
    rows = [["name", "value"], ["=1+1", -3], ["@a, b", "-3"], ['+"a"', None], ["-x", 1.5]]
    lines = ["name,value", "'=1+1,-3", '"\'@a, b",-3', '"\'+""a""",', "'-x,1.5", ""]
    assert blank.evaluate("rows => TourScope.csv(rows)", rows) == "\r\n".join(lines)


def test_frames_are_read_as_python_wrote_them(blank):
    arrays = {
        "small": np.array([[1, -2], [3, 4], [5, 6]], np.int32),
        "large": np.array([2**52 + 1, -7], np.int64),
        "real": np.array([0.5, -1e300]),
        "flags": np.array([True, False, True]),
        "none": np.empty((0, 4), np.int32),
    }
    stream = encode("first", {"name": "Köln", "n": 3}, arrays) + encode("second", {"last": None}, {})
    told = blank.evaluate(
        """(text) => TourScope.frames.split(bytes(text)).map((frame) => ({
          ...frame, arrays: Object.fromEntries(Object.entries(frame.arrays).map(([name, array]) => [name, [...array]]))
        }))""",
        text(stream),
    )
    assert [frame["kind"] for frame in told] == ["first", "second"]
    assert told[0]["values"] == {"name": "Köln", "n": 3}
    assert told[1]["values"] == {"last": None}
    for name, array in arrays.items():
        assert told[0]["arrays"][name] == array.ravel().tolist()
        assert told[0]["shapes"][name] == list(array.shape)


def test_a_cut_frame_is_refused(blank):
    cut = encode("first", {}, {"a": np.arange(9, dtype=np.int32)})[:-8]
    refused = blank.evaluate("(text) => { try { frame(text); return false; } catch { return true; } }", text(cut))
    assert refused


def climb(climber: int, n: int = 12, moves: int = 40, every: int = 16, complete: bool = True):
    """A climb of random moves: its frame, and all of its tours, walked in the plainest way."""
    rng = np.random.default_rng(climber)
    tours = [rng.permutation(n).astype(np.int32)]
    ends = np.sort(np.stack([rng.choice(n, 2, replace=False) for _ in range(moves)]), axis=1).astype(np.int32)
    for i, j in ends:
        tour = tours[-1].copy()
        tour[i + 1 : j + 1] = tour[i + 1 : j + 1][::-1]
        tours.append(tour)
    at = np.arange(0, max(1, moves), every, dtype=np.int32)
    delta = rng.integers(-50, 0, moves).astype(np.int32)
    values = {"climber": climber, "walk": "moves", "complete": complete, "length": 5000}
    arrays = {"at": at, "tours": np.stack([tours[k] for k in at]), "i": ends[:, 0], "j": ends[:, 1], "delta": delta}
    return encode("climb", values, arrays), tours, 5000 + np.concatenate([[0], np.cumsum(delta)])


def test_a_climb_is_walked_both_ways_and_by_jumps(blank):
    frame, tours, lengths = climb(3)
    positions = [0, 1, 2, 17, 16, 15, 40, 39, 3, 0, 33, 31, 40, 0]
    walked = blank.evaluate(
        "([text, positions]) => { const climb = TourScope.climbOf(frame(text));"
        " return positions.map((k) => [[...climb.seek(k)], climb.lengths[k]]); }",
        [text(frame), positions],
    )
    for position, (order, length) in zip(positions, walked, strict=True):
        assert order == tours[position].tolist()
        assert length == lengths[position]


def segments(line: dict) -> set[frozenset]:
    """The segments that Plotly draws for a line with gaps."""
    points = list(zip(line["x"], line["y"], strict=True))
    return {frozenset(pair) for pair in pairwise(points) if None not in (*pair[0], *pair[1])}


LINE = """(line) => {
  const plain = (values) => [...values].map((value) => (isNaN(value) ? null : value));
  return { x: plain(line.x), y: plain(line.y) };
}"""
ROW = "Float64Array.from({ length: 80 }, (_, k) => (k % 2 ? 0 : k / 2))"


def edges_of(order: list[int]) -> set[frozenset]:
    return {frozenset({(float(a), 0.0), (float(b), 0.0)}) for a, b in zip(order, order[1:] + order[:1], strict=True)}


def draw(blank, call: str, argument) -> set[frozenset]:
    """Segments of a line through cities on a row, city c at (c, 0)."""
    return segments(blank.evaluate(f"(given) => {{ const xy = {ROW}; return ({LINE})({call}); }}", argument))


def test_a_tour_is_closed_and_its_leaving_edges_are_left_out(blank):
    order = np.random.default_rng(1).permutation(40).tolist()
    assert draw(blank, "TourScope.edges.tourLine(xy, Int32Array.from(given))", order) == edges_of(order)
    cut = draw(blank, "TourScope.edges.tourLine(xy, Int32Array.from(given), [3, 39])", order)
    gone = {frozenset({(float(a), 0.0), (float(b), 0.0)}) for a, b in ((order[3], order[4]), (order[39], order[0]))}
    assert cut == edges_of(order) - gone


@pytest.mark.parametrize("count", [0, 1, 7, 39, 40])
def test_a_construction_is_drawn_as_its_edges_are_chosen(blank, count):
    rng = np.random.default_rng(2)
    order = rng.permutation(40)
    edges = np.stack((order, np.roll(order, -1)), axis=1)[rng.permutation(40)]
    drawn = draw(blank, f"TourScope.edges.pathLines(xy, Int32Array.from(given), {count})", edges.ravel().tolist())
    assert drawn == {frozenset({(float(a), 0.0), (float(b), 0.0)}) for a, b in edges[:count].tolist()}


def test_a_blot_is_thinned_and_a_2_opt_move_changes_little_of_it(blank):
    kept = blank.evaluate(
        """() => {
          const n = 6000;
          const xy = Float64Array.from({ length: 2 * n }, (_, k) => ((k * 7919) % 10007) / 10);
          const order = Int32Array.from({ length: n }, (_, k) => (k * 2741) % n);
          const shown = () => {
            const visible = TourScope.visibleEdges({ xy, ratio: 1 }, order, 3);
            return [...visible.keys()].filter((k) => visible[k])
              .map((k) => [order[k], order[(k + 1) % n]].sort((a, b) => a - b).join());
          };
          const before = new Set(shown());
          order.subarray(1001, 4001).reverse();
          const after = shown();
          return [before.size / n, after.filter((edge) => !before.has(edge)).length];
        }"""
    )
    assert 0.02 < kept[0] < 0.98
    assert kept[1] <= 4 * 64


def test_what_is_short_is_drawn_whole(blank):
    script = """() => TourScope.visibleEdges({ xy: Float64Array.from({ length: 8000 }, (_, k) => k), ratio: 1 },
      Int32Array.from({ length: 4000 }, (_, k) => k), 0.01)"""
    assert blank.evaluate(script) is None


def test_columns_stay_small_and_even(blank):
    seen = blank.evaluate(
        """() => {
          const series = new TourScope.Series(2, 100);
          for (let k = 0; k < 12345; k += 1) series.push([k, -k]);
          return series.columns;
        }"""
    )
    assert 50 <= len(seen[0]) <= 100
    assert len(set(np.diff(seen[0]))) == 1
    assert seen[1] == [-k for k in seen[0]]
    assert blank.evaluate("TourScope.spaced(1000, 5)") == [0, 250, 500, 749, 999]
    assert blank.evaluate("TourScope.interpolated([0, 5, 15, 99], [0, 10, 20], [0, 1, 3])") == [0, 0.5, 2, 3]


ROWS = {
    "climber": [0, 1, 2],
    "length": [4100, 4050, 4200],
    "evaluations": [9] * 3,
    "moves": [40] * 3,
    "seconds": [1] * 3,
}
SPEC = {"instance": {"name": "x"}, "stages": [{"algorithm": "two-opt", "params": {"climbers": 3}}], "budget": {}}


@pytest.fixture
def opened(blank):
    """A finished run of three climbs that is open, paused at the start of its first climb."""
    climbs = [climb(c) for c in range(3)]
    blank.evaluate(
        """([texts, spec, rows]) => {
          drawn.length = 0; said.length = 0;
          texts.forEach((text, k) => { answers[k] = text; });
          TourScope.player.reset(); TourScope.climbs.reset("r"); TourScope.run.reset("r"); TourScope.emit("closed");
          const instance = { values: { name: "x", optimum: 4000, proven: true }, arrays: {} };
          TourScope.emit("instance", { values: { spec, state: "finished" }, frames: [instance] });
          const frames = [{ kind: "rows", values: {}, arrays: rows }];
          TourScope.emit("log-message", { values: { state: "finished" }, frames });
        }""",
        [[text(frame) for frame, _, _ in climbs], SPEC, ROWS],
    )
    settle(blank, lambda state: state["count"] == 40)
    blank.evaluate("TourScope.player.pause(); TourScope.player.seek(0)")
    settle(
        blank, lambda state: state["position"] == 0 and not (state["drawn"].get("cut") or state["drawn"].get("added"))
    )
    return blank, climbs


STATE = "() => ({ ...TourScope.player.state, count: (TourScope.player.shown() || {}).count, drawn: drawn.at(-1) })"


def settle(page, reached, seconds: float = PATIENCE / 1000):
    """Wait until the player's state is as wanted."""
    for _ in range(int(seconds / 0.02)):
        state = page.evaluate(STATE)
        if state["drawn"] and reached(state):
            return state
        page.wait_for_timeout(20)
    raise AssertionError(f"the player stands still: {state}")


def order_is(tour):
    return lambda state: state["drawn"]["order"] == tour.tolist()


def test_a_step_shows_the_edges_that_leave_and_then_those_that_enter(opened):
    page, climbs = opened
    page.evaluate("drawn.length = 0; TourScope.player.step(1)")
    entered = settle(page, lambda state: state["drawn"].get("added"))
    leaving = page.evaluate("drawn")[0]  # for a moment alone
    assert leaving["cut"]
    assert leaving["order"] == climbs[0][1][0].tolist()
    assert entered["position"] == 1
    assert entered["drawn"]["order"] == climbs[0][1][1].tolist()
    assert sorted(entered["drawn"]["removed"]) == sorted(leaving["removed"])


def test_steps_go_over_the_ends_of_a_climb(opened):
    page, climbs = opened
    page.evaluate("TourScope.player.end()")
    settle(page, order_is(climbs[0][1][40]))
    page.evaluate("TourScope.player.step(1)")
    assert settle(page, order_is(climbs[1][1][0]))["climb"] == 1
    page.evaluate("TourScope.player.step(-1)")
    assert settle(page, order_is(climbs[0][1][40]))["climb"] == 0


def test_home_and_end_go_further_the_second_time(opened):
    page, climbs = opened
    page.evaluate("TourScope.player.end(); TourScope.player.end()")
    settle(page, order_is(climbs[2][1][40]))
    page.evaluate("TourScope.player.home()")
    settle(page, order_is(climbs[2][1][0]))
    page.evaluate("TourScope.player.home()")
    settle(page, order_is(climbs[0][1][0]))


def test_the_player_plays_on_to_the_last_climb_and_stops(opened):
    page, climbs = opened
    page.evaluate("TourScope.player.setSpeed(8); TourScope.player.play()")
    state = settle(page, lambda state: not state["playing"])
    assert state["climb"] == 2
    assert state["drawn"]["order"] == climbs[2][1][40].tolist()
    page.evaluate("TourScope.player.setSpeed(4)")


def test_live_shows_the_best_climb_of_a_run_that_has_ended(opened):
    page, climbs = opened
    page.evaluate("TourScope.player.live()")
    state = settle(page, order_is(climbs[1][1][40]))
    assert (state["climb"], state["live"]) == (1, False)


def test_the_end_of_a_climb_that_goes_on_is_its_true_end_once_it_is_there(blank):
    part, whole = climb(0, moves=15, complete=False), climb(0)
    blank.evaluate(
        """([part, spec]) => {
          drawn.length = 0; answers[0] = part;
          TourScope.player.reset(); TourScope.climbs.reset("s"); TourScope.run.reset("s"); TourScope.emit("closed");
          const instance = { values: { name: "x", optimum: 4000, proven: true }, arrays: {} };
          TourScope.run.know(0);
          TourScope.emit("instance", { values: { spec, state: "running" }, frames: [instance] });
        }""",
        [text(part[0]), SPEC],
    )
    settle(blank, lambda state: state["count"] == 15)
    blank.evaluate("TourScope.player.pause(); TourScope.player.end()")
    settle(blank, lambda state: state["position"] == 15)
    assert not blank.evaluate("TourScope.player.shown().whole")
    blank.evaluate("(whole) => { answers[0] = whole; }", text(whole[0]))
    blank.evaluate("TourScope.emit('log-message', { values: { state: 'finished' }, frames: [] })")
    state = settle(blank, lambda state: state["position"] == 40)
    assert state["drawn"]["order"] == whole[1][40].tolist()
    assert blank.evaluate("TourScope.player.shown().whole")


def test_a_live_picture_is_acknowledged_once_it_is_drawn(opened):
    page, _ = opened
    page.evaluate("TourScope.run.state = 'running'; TourScope.player.live()")
    head = {"climber": 2, "move": 5, "length": 4321, "at": 0.0, "walk": "moves"}
    arrays = {"order": np.arange(12, dtype=np.int32), "last": np.array([2, 7, -9], np.int32)}
    sent = text(encode("head", head, arrays))
    page.evaluate("(text) => TourScope.emit('head', { frame: frame(text), message: 77 })", sent)
    state = settle(page, lambda state: state["position"] == 5 and state["climb"] == 2)
    assert state["drawn"]["order"] == list(range(12))
    assert page.evaluate("said")[-2:] == [True, 77]


def test_the_scripts_use_the_ids_of_the_page():
    known = {value for name, value in vars(ids).items() if name.isupper()}
    used = set()
    for script in SCRIPTS:
        used |= set(re.findall(r'"((?:player|hud|tile|run|legend)-[a-z-]+)"', script.read_text()))
    assert len(used) > 20
    assert used <= known


def test_no_script_evaluates_text_or_names_another_host():
    for script in SCRIPTS:
        source = script.read_text()
        assert not re.search(r"\beval\(|new Function|https?://|innerHTML", source), script.name


def head(elapsed: float, order: list[int], walk: str = "moves") -> str:
    """The head of a run at a second of its clock."""
    values = {"climber": 0, "move": 0, "length": int(100 - 10 * elapsed), "at": 0.0, "elapsed": elapsed, "walk": walk}
    tour = np.array(order, np.int32)
    edges = {"edges": np.stack((tour, np.roll(tour, -1)), axis=1)} if walk == "edges" else {"order": tour}
    return text(encode("head", values, {**edges, "last": np.array([-1, -1, 0], np.int32)}))


FILM = "const film = new TourScope.Film(); const push = (heads) => heads.forEach((each) => film.add([frame(each)]));"
AT = "const at = (seconds) => { const found = film.picture(seconds); return found && [...found.order]; };"


def test_a_film_shows_the_last_picture_at_or_before_a_second(blank):
    heads = [head(1, [0, 1, 2]), head(2, [2, 1, 0], "edges"), head(1.5, [1, 0, 2]), head(4, [1, 2, 0])]
    shown = blank.evaluate(
        f"(heads) => {{ {FILM} {AT} push(heads); return [0.5, 1, 1.9, 2, 3, 99].map(at).concat([film.end]); }}", heads
    )
    late = [2, 1, 0]
    assert shown == [None, [0, 1, 2], [0, 1, 2], late, late, [1, 2, 0], 4]


def test_what_was_recorded_goes_before_what_came_later(blank):
    orders = np.array([[0, 1, 2], [1, 2, 0]], np.uint16)
    arrays = {"at": np.array([0.5, 2.5]), "length": np.array([9, 8]), "orders": orders}
    film = text(encode("film", {"seconds": 2.5}, arrays))
    shown = blank.evaluate(
        f"([heads, whole]) => {{ {FILM} {AT} push(heads); film.recorded(frame(whole));"
        " return [film.at, [1, 2.5, 3].map(at)]; }",
        [[head(1, [2, 1, 0]), head(2, [2, 1, 0]), head(3, [0, 2, 1])], film],
    )
    assert shown == [[0.5, 2.5, 3], [[0, 1, 2], [1, 2, 0], [0, 2, 1]]]


def test_a_long_film_is_thinned(blank):
    count = blank.evaluate(
        """() => {
          const film = new TourScope.Film();
          const tour = { values: { length: 1 }, arrays: { order: Int32Array.of(0) } };
          for (let k = 0; k < 10000; k += 1) film.push(tour, k);
          return [film.at.length, film.end, film.picture(9999).number];
        }"""
    )
    assert 2000 <= count[0] <= 4000
    assert count[1] >= 9997


@pytest.mark.parametrize("seed", range(3))
def test_edges_of_two_tours_are_told_apart(blank, seed):
    rng = np.random.default_rng(seed)
    first, second = (rng.permutation(12) for _ in range(2))
    second[:6] = first[:6]
    second[6:] = rng.permutation(first[6:])
    told = blank.evaluate(
        """(tours) => {
          const { both, only } = TourScope.raceDiffer.compare(...tours.map((tour) => Int32Array.from(tour)));
          return [both, ...only].map((pairs) => [...pairs]);
        }""",
        [first.tolist(), second.tolist()],
    )
    mine, yours = (
        {frozenset(pair) for pair in zip(t.tolist(), np.roll(t, -1).tolist(), strict=True)} for t in (first, second)
    )
    shown = [{frozenset(flat[k : k + 2]) for k in range(0, len(flat), 2)} for flat in told]
    assert shown == [mine & yours, mine - yours, yours - mine]


def test_a_lane_is_in_the_state_that_a_message_tells_whatever_its_events_say(blank):
    told = blank.evaluate(
        """() => {
          const lane = new TourScope.Lane("r", {}, 0);
          const event = (state) => ({ kind: "state", values: { state, reason: "time" }, arrays: {} });
          const found = [];
          const take = (values, frames) => {
            lane.take(values, frames);
            found.push([lane.state, lane.reason, lane.over]);
          };
          take({ state: "running", reason: "" }, [event("paused"), event("finished")]);
          take({ state: "finished", reason: "time" }, []);
          take({ state: "failed", reason: "full" }, [event("running")]);
          return found;
        }"""
    )
    assert told == [["running", "", False], ["finished", "time", True], ["failed", "full", True]]


def test_a_run_is_in_the_state_that_a_message_tells_also_without_an_event(opened, blank):
    state = "[TourScope.run.state, TourScope.run.reason, TourScope.run.active()]"
    told = blank.evaluate(
        """([state]) => {
          const found = [];
          TourScope.on("state", (run) => found.push(run.state));
          const say = (state, reason, ...events) => {
            const frames = events.map((event) => ({ kind: "state", values: { state: event, reason: "" }, arrays: {} }));
            TourScope.emit("log-message", { values: { state, reason, fields: [] }, frames });
          };
          say("running", "", "running", "paused");
          const first = eval(state);
          say("failed", "The disk is full.");
          return [first, eval(state), found];
        }""",
        [state],
    )
    assert told == [["running", "", True], ["failed", "The disk is full.", False], ["running", "failed"]]


def test_a_lane_knows_its_best_tour_at_any_second(blank):
    progress = {"iteration": [1, 2, 3], "evaluations": [5, 9, 20], "elapsed": [0.1, 0.4, 2.0], "best": [50, 40, 40]}
    told = blank.evaluate(
        """(progress) => {
          const lane = new TourScope.Lane("r", {}, 0);
          const tour = (length, order) => ({ kind: "tour", values: { length, climber: 0 }, arrays: { order } });
          const told = { kind: "progress", values: {}, arrays: progress };
          lane.take({ state: "running", reason: "" }, [tour(50, [0, 1]), tour(40, [1, 0]), told]);
          const end = { length: 39, iterations: 3, evaluations: 20, seconds: 2.5 };
          lane.take({ state: "finished", reason: "time" }, [{ kind: "finished", values: end, arrays: { order: [9] } }]);
          return [0, 0.1, 0.39, 0.4, 2.4, 2.5].map((seconds) => lane.best(seconds)).concat([lane.known, lane.over]);
        }""",
        progress,
    )
    early, late = {"length": 50, "at": 0.1, "order": [0, 1]}, {"length": 40, "at": 0.4, "order": [1, 0]}
    last = {"length": 39, "at": 2.5, "order": [9]}
    assert told == [None, early, early, late, late, last, 2.5, True]
