"""The Held-Karp benchmark: its measurements, its refusals, and its tables."""

import itertools

import pytest

from benchmarks.__main__ import main as benchmarks
from benchmarks.held_karp import in_turns as held_karp_in_turns
from benchmarks.held_karp import main, parts, rounds, variants
from benchmarks.held_karp.in_turns import Settings, check_agreement, measure_in_turns
from benchmarks.held_karp.instances import SIDES, generate_square, load_first_cities
from benchmarks.held_karp.tables import format_speed_up
from benchmarks.held_karp.variants import TimedVariant, list_variants
from data.distances import distance_matrix
from solvers.core.errors import RunFailed
from solvers.core.solver import Variant
from solvers.mpi import launcher
from solvers.mpi.remote_run import max_ranks
from tests.clock import PATIENCE
from tests.naive import held_karp as shortest
from tests.papers.small import shrink
from tests.tables import each_row

SEQUENTIAL = TimedVariant("sequential")


def entry(**more):
    """An entry of 20 cities with the fields that tables and checks read."""
    plain = {"way": "cpu", "instance": "a", "n": 20, "item": 2, "optimum": None, "threads": 1, "length": 7}
    return plain | {"milliseconds": [1.0], "run_milliseconds": [2.0]} | more


@each_row(("side", "item"), [(SIDES[0], 2), (SIDES[1], 4)])
def test_both_squares_are_solved_by_states_of_their_size(side, item):
    instance = generate_square(9, side)
    (found,) = measure_in_turns(Settings((), repeats=2, patience=PATIENCE), instance, [SEQUENTIAL], runs=True)
    assert found["item"] == item
    assert found["length"] == shortest(distance_matrix(instance).tolist())
    assert len(found["milliseconds"]) == len(found["run_milliseconds"]) == 2
    assert min(found["milliseconds"] + found["run_milliseconds"]) > 0


def test_threads_match_the_request():
    found = measure_in_turns(
        Settings((), repeats=1),
        generate_square(9, SIDES[0]),
        [TimedVariant("cpu", 1), TimedVariant("cpu", 3)],
        runs=False,
    )
    assert [one["threads"] for one in found] == [1, 3]
    assert all(one["run_milliseconds"] == [] for one in found)


def test_long_work_is_cut_off():
    (found,) = measure_in_turns(Settings((), patience=0.0), generate_square(12, SIDES[0]), [SEQUENTIAL], runs=True)
    assert found["refused"] == "over 0 s"
    assert found["milliseconds"] == []


def test_refusal_states_the_required_memory(monkeypatch):
    monkeypatch.setattr(variants, "available_bytes", lambda: 50_000)
    (found,) = measure_in_turns(Settings(()), generate_square(15, SIDES[0]), [SEQUENTIAL], runs=False)
    assert found["refused"] == "needs 57.3 kB"


def test_rounds_alternate_between_variants_after_an_untimed_one(monkeypatch):
    asked, seconds = [], itertools.count(1)

    def time_layers(instance, variant, patience):
        asked.append(variant.count)
        return next(seconds), 7, variant.count

    monkeypatch.setattr(held_karp_in_turns, "time_layers", time_layers)
    one, two = measure_in_turns(
        Settings((), repeats=2),
        generate_square(9, SIDES[0]),
        [TimedVariant("cpu", 1), TimedVariant("cpu", 2)],
        runs=False,
    )
    assert asked == [1, 2] * 3
    assert one["milliseconds"] == [3e3, 5e3]
    assert two["milliseconds"] == [4e3, 6e3]


def test_processes_run_all_rounds_in_their_first_turn_after_an_untimed_one(monkeypatch):
    asked = []

    def times(self, instance, variant):
        asked.append((variant.row, variant.count))
        return [(float(second), 7) for second in range(self._count)]

    monkeypatch.setattr(rounds.Rounds, "times", times)
    monkeypatch.setattr(held_karp_in_turns, "time_layers", lambda instance, variant, patience: (1.0, 7, variant.count))
    turns = [TimedVariant("mpi", 2), TimedVariant("cpu", 1)]
    two, one = measure_in_turns(Settings((), repeats=2), generate_square(9, SIDES[0]), turns, runs=False)
    assert asked == [("mpi", 2)]
    assert two["milliseconds"] == [1e3, 2e3]
    assert two["threads"] == 2
    assert one["milliseconds"] == [1e3] * 2


def test_failing_processes_fail_for_all_instances_and_are_not_restarted(monkeypatch):
    started = []

    def run(ranks, job, answer, seconds):
        started.append(ranks)
        raise RunFailed("2 processes failed: killed")

    monkeypatch.setattr(rounds, "check_ranks", lambda ranks: None)
    monkeypatch.setattr(rounds, "_run_processes", run)
    instances = [generate_square(n, SIDES[0]) for n in (8, 9)]
    shared = rounds.Rounds(instances, PATIENCE, 3)
    for instance in instances:
        (found,) = measure_in_turns(Settings((), 2), instance, [TimedVariant("mpi", 2)], runs=False, rounds=shared)
        assert found["refused"] == "2 processes failed: killed"
    assert started == [2]


def test_too_many_processes_are_refused_before_any_starts(monkeypatch):
    monkeypatch.setattr(launcher, "unavailable_reason", lambda: "")
    monkeypatch.setattr(rounds.subprocess, "run", None)
    (found,) = measure_in_turns(
        Settings(()), generate_square(9, SIDES[0]), [TimedVariant("mpi", max_ranks() + 1)], runs=False
    )
    assert f"at most {max_ranks()}" in found["refused"]


@pytest.mark.long
@pytest.mark.skipif(bool(launcher.unavailable_reason()), reason="needs MPI")
@pytest.mark.parametrize(("row", "patience", "samples"), [("mpi", PATIENCE, 2), ("qin-han-mpi", 0.0, 0)])
def test_one_start_runs_as_many_rounds_as_patience_allows(monkeypatch, row, patience, samples):
    starts, run = [], rounds._run_processes
    monkeypatch.setattr(rounds, "_run_processes", lambda *arguments: starts.append(arguments) or run(*arguments))
    instances = [generate_square(n, SIDES[0]) for n in (8, 9)]
    shared = rounds.Rounds(instances, patience, 3)
    for instance in instances:
        (found,) = measure_in_turns(
            Settings((), 2, patience), instance, [TimedVariant(row, 2)], runs=False, rounds=shared
        )
        assert len(found["milliseconds"]) == samples
        assert found.get("refused", "") == ("" if samples else "over 0 s")
        assert found["length"] == (shortest(distance_matrix(instance).tolist()) if samples else None)
    assert len(starts) == 1


def test_exhausted_variant_gets_no_more_cities(monkeypatch):
    asked = []

    def measure_in_turns(settings, instance, turns, runs):
        asked.append((instance.n, [variant.row for variant in turns]))
        end = {"sequential": 9, "cpu": 11}
        return [
            {"n": instance.n} | ({"refused": "over 0 s"} if instance.n >= end[variant.row] else {}) for variant in turns
        ]

    monkeypatch.setattr(parts, "measure_in_turns", measure_in_turns)
    monkeypatch.setattr(parts, "SIDES", SIDES[:1])
    monkeypatch.setattr(parts, "list_variants", lambda device: [TimedVariant("sequential"), TimedVariant("cpu")])
    assert len(list(parts.measure_cities(Settings((8, 9, 10, 11, 12)), "cpu"))) == 6
    assert asked == [
        (8, ["sequential", "cpu"]), (9, ["sequential", "cpu"]), (10, ["cpu"]), (11, ["cpu"]), (12, []),
    ]  # fmt: skip


def test_variants_are_the_rows_of_a_device(monkeypatch):
    rows = [Variant(name, device, "", "", "", "", "") for name, device in (("one", "cpu"), ("two", "cuda"))]
    rows.append(Variant("three", "cpu", "", "", "", "", "", needs="mpi"))
    monkeypatch.setattr(variants, "VARIANTS", rows)
    assert list_variants("cpu") == [TimedVariant("one")]
    assert list_variants("cuda") == [TimedVariant("two")]


@each_row("other", [entry(length=8), entry(optimum=6), entry(length=8, milliseconds=[])])
def test_different_lengths_on_one_instance_end_the_benchmark(other):
    check_agreement([entry(), entry(instance="b", length=9), entry(optimum=7), entry(length=None)])
    with pytest.raises(SystemExit, match="a has shortest tours of different lengths"):
        check_agreement([entry(), other])


def test_first_cities_are_measured_as_in_the_whole_instance():
    whole, part = (distance_matrix(load_first_cities("att48", n)) for n in (48, 31))
    assert (whole[:31, :31] == part).all()


def test_speed_up_is_the_median_of_ratios_of_neighbouring_samples():
    one = entry(milliseconds=[10.0, 20.0, 60.0])
    two = entry(threads=2, milliseconds=[5.0, 4.0, 50.0])
    threads, processes = format_speed_up([one, two, entry(way="mpi", refused="No MPI.", milliseconds=[])])
    assert "| 1 | 20.0 (1.00) |" in threads
    assert "| 2 | 5.00 (2.00) |" in threads
    assert "2,300 (46.5)" in threads
    assert "| 1 | No MPI. |" in processes


def test_results_are_written_and_their_tables_can_be_reprinted(tmp_path, capsys, monkeypatch):
    file = tmp_path / "results.json"
    shrink(monkeypatch)
    main.main(1, file, "cpu", ["cities", "table-1"], (6, 8), 60.0)
    printed = capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["benchmarks", "held-karp", "--markdown", str(file)])
    assert benchmarks() == 0
    tables = capsys.readouterr().out.strip()
    cities, table_1 = tables.split("\n**qin-han/table-1**")
    assert cities in printed
    assert table_1 in printed
    assert "Ant Colony System, 2048 cities, an iteration" in table_1
