"""Short forms of recipes on a few cities, and properties of all results."""

import json
from dataclasses import replace
from math import isfinite

from benchmarks import parts
from benchmarks.ants import colonies
from benchmarks.held_karp.instances import load_first_cities
from data.generators import uniform
from data.instance import Instance
from papers import cli
from papers.catalogue import ALL_PAPERS, find, name_entry
from papers.model import Table
from papers.recipes import acs, ants, held_karp, quality, roofline, speed, two_opt
from papers.results import MeasuredTable, Result
from solvers.gpu.peaks import Peaks

#: Cities of every instance.
N = 7


class TellsEnergy:
    """A meter whose driver reports one joule."""

    reason = ""

    def __init__(self, device: str) -> None:
        assert device == "cuda"

    def joules(self) -> float:
        return 1.0


class SmallPeaks:
    """The simulator has no clock, and no memory of its own."""

    @staticmethod
    def from_device() -> Peaks:
        return Peaks.from_attributes(1, 1000, (9, 0), 1000, 64)


def names(device: str) -> list[str]:
    """Addresses of the entries measured on a device."""
    return [
        name_entry(paper, entry) for paper in ALL_PAPERS for entry in paper.entries if device in entry.recipe.devices
    ]


def small_instance(name: str) -> Instance:
    """A few cities, with the name and an optimum of a full instance."""
    return replace(load_first_cities("kroA100", N), name=name, optimum=1)


def shrink(monkeypatch) -> None:
    """Limit recipes to few cities, ants, climbers and iterations; rows and columns keep their names."""
    generate_square, measure_finish, run_completely = (
        held_karp.generate_square,
        two_opt.measure_finish,
        ants.run_completely,
    )
    throughput = two_opt.filled
    for module, changed in (
        (held_karp, {"generate_square": lambda n, side: generate_square(N, side)}),
        (acs, {
            "load_qin_han_cities": lambda n: uniform(N, 1), "ANTS": 2, "ITERATIONS": 3, "LONG": 3, "COLONIES": (1, 2),
            "THREADS": 64, "MAX_SIZE": N,
        }),
        (colonies, {"load": small_instance}),
        (ants, {
            "_ITERATIONS": 2, "_QUICK": ants.INSTANCES[:1],
            "run_completely": lambda instance, make, seeds, iterations: run_completely(instance, make, seeds, 2),
        }),
        (two_opt, {
            "load": small_instance, "load_cities": lambda n: small_instance(f"{n}"), "_QUICK_CLIMBERS": 2,
            "measure_finish": lambda variant, instance, climbers, repeats: measure_finish(
                variant, instance, min(climbers, 2), repeats
            ),
            "filled": lambda variant, instance, repeats: throughput(variant, instance, repeats, 2),
        }),
        (quality, {"load": small_instance}),
        (speed, {
            "load": small_instance, "_QUICK_CLIMBERS": (1, 2), "EnergyMeter": TellsEnergy, "MIN_SECONDS": 0.001,
            "measure_finish": lambda variant, instance, climbers, repeats: measure_finish(
                variant, instance, min(climbers, 2), repeats
            ),
        }),
        (roofline, {
            "load_cities": lambda n: small_instance(f"{n}"), "_WORDS": 1 << 12, "_ROUNDS": 1 << 8, "Peaks": SmallPeaks,
            "measure_throughput": lambda variant, instance, repeats: throughput(variant, instance, repeats, 2),
        }),
        (parts, {"describe_hardware": lambda device: {"cpu": "any"}}),
    ):  # fmt: skip
        for name, value in changed.items():
            monkeypatch.setattr(module, name, value)


def check(name: str, device: str) -> Result:
    """Measure an entry in its short form, and compare the result with the published figures."""
    _, entry = find(name)
    result = cli.measure(name, device, quick=True, repeats=1)
    assert Result.from_json(json.loads(json.dumps(result.to_json()))) == result
    assert (result.entry, result.device, result.quick) == (name, device, True)
    measured = result.measured
    assert len(measured.units) == len(measured.columns) == len(set(measured.columns))
    assert all(len(cells) == len(measured.columns) for cells in measured.rows.values())
    samples = [each for cells in measured.rows.values() for cell in cells for each in cell]
    assert samples
    assert all(isfinite(each) for each in samples)
    if entry.published and not (device == "cpu" and set(entry.published.columns) == {"GPU"}):
        _stands_beside(entry.published, measured)
    if entry.drawing.kind == "tour":
        _is_tour(measured)
    return result


def _stands_beside(published: Table, measured: MeasuredTable) -> None:
    """Whether a figure has the row, column and unit of a published one."""
    assert measured.head == published.head
    units = dict(zip(published.columns, published.units, strict=True))
    own = dict(zip(measured.columns, measured.units, strict=True))
    assert {column: own[column] for column in units if column in own}.items() <= units.items()
    assert any(
        None not in (published.figure(row, column), measured.figure(row, column))
        for row in published.rows
        for column in published.columns
    )


def _is_tour(measured: MeasuredTable) -> None:
    tour = measured.tour
    assert sorted(tour["order"]) == list(range(len(tour["x"]))) == list(range(len(tour["y"])))
    assert any(tour["length"] in cells[0] for cells in measured.rows.values())
