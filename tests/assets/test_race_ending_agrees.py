"""The page's script and the server's animation describe a race's result in the same, true sentence."""

from dataclasses import replace

from components.race.ending import describe_named, describe_result
from data.collection import resolve
from runs.races.ending import LaneEnd, RaceEnd
from tests.assets.node import evaluate
from tests.tables import each_row

THIN = "\u202f"
ONE = "This is one seed; another may rank them differently."
CASES = {
    "one at the optimum": (
        {"Ant Colony System": (100, 0.163), "2-opt": (104, 3.1)}, (100, True), True, True,
        f"Ant Colony System first: optimal, found after 163{THIN}ms; "
        f"2-opt 4.00{THIN}% above, found after 3.10{THIN}s. {ONE}",
    ),
    "the optimum, one later": (
        {"a": (100, 2.0), "b": (100, 1.0)}, (100, True), True, True,
        f"b first: optimal, found after 1.00{THIN}s; a the same length, found after 2.00{THIN}s. {ONE}",
    ),
    "a tie of two": (
        {"a": (100, 1.0001), "b": (100, 1.0002), "c": (101, 1.0)}, (100, True), True, True,
        f"a and b tie: optimal, each found after 1.00{THIN}s; c 1.00{THIN}% above, found after 1.00{THIN}s. {ONE}",
    ),
    "a tie of three": (
        {"a": (105, 1.0), "b": (105, 1.0), "c": (105, 1.0)}, (100, True), True, True,
        f"a, b and c tie: 5.00{THIN}% above optimal, each found after 1.00{THIN}s. {ONE}",
    ),
    "the same time, not the same length": (
        {"a": (105, 1.0), "b": (106, 1.0)}, (100, True), True, True,
        f"a first: 5.00{THIN}% above optimal, found after 1.00{THIN}s; "
        f"b 6.00{THIN}% above, found after 1.00{THIN}s. {ONE}",
    ),
    "no optimum is known": (
        {"a": (12345, 1.0), "b": (13000, 0.5)}, (None, False), True, True,
        f"a first: 12{THIN}345{THIN}km, the shortest of this race, found after 1.00{THIN}s; "
        f"b 5.31{THIN}% longer, found after 500{THIN}ms. {ONE}",
    ),
    "a tie without an optimum": (
        {"a": (90, 1.0), "b": (90, 1.0)}, (None, False), True, True,
        f"a and b tie: 90{THIN}km, the shortest of this race, each found after 1.00{THIN}s. {ONE}",
    ),
    "only a best known length": (
        {"a": (99, 1.0), "b": (100, 1.0), "c": (110, 1.0)}, (100, False), True, True,
        f"a first: 1.00{THIN}% below best known, found after 1.00{THIN}s; "
        f"b at the best known length, found after 1.00{THIN}s; "
        f"c 10.0{THIN}% above, found after 1.00{THIN}s. {ONE}",
    ),
    "a lane without a tour, and one that was cut": (
        {"a": (100, 1.0), "b": (None, 0.0)}, (100, True), False, False,
        f"a first: optimal, found after 1.00{THIN}s; b has no tour. "
        "This is one run each; others may rank them differently. Not all lanes finished.",
    ),
    "no tour at all": ({"a": (None, 0.0), "b": (None, 0.0)}, (100, True), False, True, ""),
    "an optimum of 0 is one": (
        {"a": (0, 1.0), "b": (12, 1.0)}, (0, True), True, True,
        f"a first: optimal, found after 1.00{THIN}s; b 12 above, found after 1.00{THIN}s. {ONE}",
    ),
    "a negative optimum": (
        {"a": (-3900, 1.0), "b": (-1795, 1.0)}, (-3925, False), True, True,
        f"a first: 25 above best known, found after 1.00{THIN}s; b 2{THIN}130 above, found after 1.00{THIN}s. {ONE}",
    ),
    "negative lengths and no optimum": (
        {"a": (-90, 1.0), "b": (0, 1.0)}, (None, False), True, True,
        f"a first: \u221290{THIN}km, the shortest of this race, found after 1.00{THIN}s; "
        f"b 90 longer, found after 1.00{THIN}s. {ONE}",
    ),
}  # fmt: skip


@each_row("name", CASES)
def test_script_and_server_agree(name):
    lanes, (optimum, proven), whole, one_seed, sentence = CASES[name]
    instance = replace(resolve.load("burma14"), optimum=optimum, proven=proven)
    end = RaceEnd(tuple(LaneEnd(*each) for each in lanes.values()), instance, whole, one_seed)
    assert describe_named(list(lanes), end) == sentence
    ends = [{"name": key, "length": each[0], "at": each[1]} for key, each in lanes.items()]
    known = {"optimum": optimum, "proven": proven, "missingWeight": 0, "measured": {"edge_weight_type": "GEO"}}
    script = "({ raceSentence }, ends, known, whole, oneSeed) => raceSentence(ends, known, whole, oneSeed)"
    assert evaluate("assets/race/ending/sentence.js", script, ends, known, whole, one_seed) == sentence


def test_a_length_in_a_plane_has_no_unit():
    instance = replace(resolve.load("berlin52"), optimum=None, proven=False)
    end = RaceEnd((LaneEnd(8000, 1.0),), instance, True, True)
    sentence = describe_named(["a"], end)
    assert sentence.startswith("a first: 8\u202f000, the shortest of this race, ")
    known = {"optimum": None, "proven": False, "missingWeight": 0, "measured": {"edge_weight_type": "EUC_2D"}}
    ends = [{"name": "a", "length": 8000, "at": 1.0}]
    script = "({ raceSentence }, ends, known) => raceSentence(ends, known, true, true)"
    assert evaluate("assets/race/ending/sentence.js", script, ends, known) == sentence


def test_missing_edges_replace_the_gap():
    instance = replace(resolve.load("burma14"), optimum=None, missing=3, missing_weight=1000)
    end = RaceEnd((LaneEnd(1200, 1.0), LaneEnd(2100, 0.5)), instance, True, True)
    sentence = describe_named(["a", "b"], end)
    first = f"a first: uses 1 missing edge, found after 1.00{THIN}s; "
    assert sentence.startswith(f"{first}b uses 2 missing edges, found after 500")
    ends = [{"name": name, "length": each.length, "at": each.at}
            for name, each in zip("ab", end.lanes, strict=True)]  # fmt: skip
    known = {"optimum": None, "proven": False, "missingWeight": 1000, "measured": None}
    script = "({ raceSentence }, ends, known) => raceSentence(ends, known, true, true)"
    assert evaluate("assets/race/ending/sentence.js", script, ends, known) == sentence


def test_lanes_of_one_algorithm_have_their_letters():
    lane = {"stages": [{"algorithm": "two-opt", "params": {}}], "device": "auto"}
    other = {"stages": [{"algorithm": "greedy", "params": {}}], "device": "auto"}
    end = RaceEnd(tuple(LaneEnd(100 + k, 1.0) for k in range(3)), resolve.load("burma14"), True, True)
    assert describe_result([lane, lane, other], end).startswith("A 2-opt first")
    assert "; B 2-opt " in describe_result([lane, lane, other], end)
    assert "; Greedy " in describe_result([lane, lane, other], end)
