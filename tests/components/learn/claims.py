"""Computes every number in the lessons: for each lesson, the phrases that contain its numbers."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from components.learn.collection import FOLDER
from components.learn.reading import parse_lesson
from data.collection.resolve import resolve
from data.distances import distance_matrix
from solvers.bounds.lower_bound import compute_lower_bounds
from solvers.bounds.moats import find_moats
from solvers.core.events import Colony, Finished, Layers, Moves, Rows
from solvers.run import prepare, run
from solvers.spec import VERSION, RunSpec
from studies.spec.matrix import list_cells, make_run_spec
from studies.stats.landscape import measure_distances


@dataclass(frozen=True)
class Result:
    """The record of a run: its best length, those of its iterations, the gap, and all events."""

    best: int
    lengths: np.ndarray
    gap: float | None
    events: list[Any]

    def found_at(self) -> int:
        """The iteration, from 1, in which the best tour was found."""
        return int(np.argmin(self.lengths)) + 1

    def colony(self, column: str) -> np.ndarray:
        return np.concatenate([getattr(event, column) for event in self.events if isinstance(event, Colony)])


def result(spec: RunSpec) -> Result:
    return _result(str(spec.to_query()))


@cache
def _result(query: str) -> Result:
    spec = RunSpec.from_query(query)
    instance = resolve(spec.instance, None)
    events = list(run(prepare(spec), instance, None, pictures=False))
    ended = events[-1]
    assert isinstance(ended, Finished)
    lengths = [event.length for event in events if isinstance(event, Rows)]
    best, optimum = int(ended.length), instance.optimum
    gap = 100 * (best / optimum - 1) if optimum else None
    return Result(best, np.concatenate(lengths) if lengths else np.array([best]), gap, events)


def accepted_draws(annealed: Result) -> list[tuple[float, int]]:
    """The positive temperatures of a chain in falling order, and the number of accepted draws at each."""
    moves = [event for event in annealed.events if isinstance(event, Moves)]
    step, temperature = (np.concatenate([getattr(event, name) for event in moves]) for name in ("step", "control"))
    result = temperature[(step > 0) & (temperature > 0)]
    levels, counts = np.unique(result, return_counts=True)
    return [(float(level), int(count)) for level, count in zip(levels[::-1], counts[::-1], strict=True)]


def run_result(instance: Any, algorithm: str, seed: int = 1, **params: Any) -> Result:
    """The result of a run on CPUs without a limit."""
    reference = {"name": instance} if isinstance(instance, str) else instance
    stage = {"algorithm": algorithm, "params": params}
    fields = {"v": VERSION, "instance": reference, "stages": [stage], "seed": seed, "device": "cpu"}
    return result(RunSpec.from_json(fields))


def exercises(name: str) -> list[Any]:
    """The specs in the steps of a lesson, in order."""
    lesson = parse_lesson(name, (FOLDER / f"{name}.md").read_text("utf-8"))
    return [step.exercise.spec for step in lesson.steps if step.exercise]


def first_minute() -> list[str]:
    (spec,) = exercises("first-minute")
    visible, other = result(spec), run_result("berlin52", "two-opt", seed=3, climbers=100)
    assert other.best == resolve(spec.instance, None).optimum
    tours = math.factorial(51) // 2
    assert tours > 10**50  # an estimate of the atoms of the Earth is 1.3e50
    return [
        "52 places in Berlin", "for 52 places?", "number of tours for 52 places",
        f"has {len(str(tours))} digits", "atoms in the Earth has about 50",
        f"this run has a length of {visible.best:,}.", f"is known: {resolve(spec.instance, None).optimum:,}.",
        f"found is {visible.gap:.2f} % too long", f"best of seed 1 was {visible.gap:.2f} % too long",
        "from 1 to 3", f"is now {other.best:,}",
    ]  # fmt: skip


def two_opt_stuck() -> list[str]:
    (spec,) = exercises("two-opt-stuck")
    five, many = result(spec), run_result("berlin52", "two-opt", climbers=1000)
    optimum = resolve(spec.instance, None).optimum
    *most, last = sorted(five.lengths)
    assert len(set(five.lengths)) == 5
    assert five.best > optimum == many.best
    found = int((many.lengths == optimum).sum())
    ends = [run_result("a280", "two-opt", seed, climbers=1).events[-1].order for seed in range(1, 101)]
    far = measure_distances(resolve({"name": "a280"}, None), ends)
    assert far.correlation > 0.5, "the shorter are the nearer"
    return [
        "the same 52 places", f"by length: {', '.join(f'{each:,}' for each in most)} and {last:,}.",
        f"possible tour has a length of {optimum:,}", "from 5 to 1,000", f"best length is {many.best:,}",
        f"Only {found} of the 1,000 climbers",
        f"On a280, with 280 places, 100 climbers end with {far.distance.min()} to {far.distance.max()} edges",
    ]  # fmt: skip


def climbers_and_accuracy() -> list[str]:
    (spec,) = exercises("climbers-and-accuracy")
    thousand = result(spec)
    ten, hundred, many = (run_result("kroA100", "two-opt", climbers=count) for count in (10, 100, 10_000))
    optimum = resolve(spec.instance, None).optimum
    assert many.best == optimum
    assert (many.lengths == optimum).sum() == 1
    means = [each.lengths.mean() for each in (ten, thousand, many)]
    assert max(means) / min(means) < 1.011
    assert (thousand.lengths < 1.02 * optimum).mean() < 0.05  # a few are close
    return [
        "map of 100 cities", f"best of 10 climbers has a gap of {ten.gap:.1f} %", "We take 1,000 climbers",
        "lie far from 0 %", f"best of the 1,000 has a length of {thousand.best:,}, a gap of {thousand.gap:.2f} %",
        f"average of all climbers is {means[1]:,.0f}",
        f"The first 10 climbers alone had an average of {means[0]:,.0f}, nearly the same, and a best of {ten.best:,}",
        "**Climbers** to 10,000", f"best is {many.best:,}, the shortest", "Exactly 1 of the 10,000",
        f"average is {means[2]:,.0f}", f"1,000 climbers tried {thousand.events[-1].evaluations:,} moves",
        f"With 100 climbers instead of 10, the best fell from {ten.best:,} to {hundred.best:,}; "
        f"with 1,000, to {thousand.best:,}",
        "You have 1,000 climbers", "from 10 climbers to 10,000",
        f"From 10 to 100 climbers, ten times as many, the gap only fell from {ten.gap:.2f} % to {hundred.gap:.2f} %",
    ]  # fmt: skip


def a_million_climbers() -> list[str]:
    (spec,) = exercises("a-million-climbers")
    first = run_result("berlin52", "two-opt", climbers=1000)  # these are the first of the million, wherever it runs
    assert spec.stages[0].params == {"climbers": 1_000_000}
    assert spec.budget.seconds == 5
    return [
        "after 5 seconds", f"Climber 1 ends at {first.lengths[0]:,}", f"Climber 2 ends at {first.lengths[1]:,}",
        f"shortest tour, {first.best:,}, is climber {first.found_at()}", "budget** to 10",
        f"best length is {resolve(spec.instance, None).optimum:,} in both cases",
    ]  # fmt: skip


def cooling() -> list[str]:
    hot_spec, cooled_spec = exercises("cooling")
    hot, cooled = result(hot_spec), result(cooled_spec)
    params = cooled_spec.stages[0].params
    fast, slow = (run_result("kroA200", "simulated-annealing", **params | {"cooling": rate}) for rate in (0.5, 0.99))
    climb = run_result("kroA200", "two-opt", climbers=1)
    optimum = resolve(hot_spec.instance, None).optimum
    work = slow.events[-1].evaluations / cooled.events[-1].evaluations
    levels, draws = accepted_draws(cooled), 200 * params["moves_per_city"]
    first, last = levels[0], levels[-1]
    assert 2.4 < hot.best / optimum < 2.5
    assert 4.5 < work < 5.5
    assert params["cooling"] == 0.95
    assert slow.best == optimum
    return [
        "200 cities; its shortest tour has a length of " + f"{optimum:,}", "stays at 500", "of 100 changes",
        f"longer by 500, {100 * math.exp(-1):.0f} are accepted", f"search found has a length of {hot.best:,}",
        f"It tried {hot.events[-1].evaluations:,} random changes and made {accepted_draws(hot)[0][1]:,} of them",
        "at temperature 0", f"starts at a temperature of {first[0]:.0f}, ", "multiplies it by 0.95",
        f"best tour has a length of {cooled.best:,}, a gap of {cooled.gap:.2f} %",
        f"first temperature the search accepted {100 * first[1] / draws:.0f} in 100 changes",
        f"last one {100 * last[1] / draws:.1f} in 100",
        "of the last 1,000", f"ends at {climb.best:,} on this map", f"a gap of {climb.gap:.1f} %", "**Cooling** to 0.5",
        f"With 0.5 the best tour is {fast.best:,}, a gap of {fast.gap:.1f} %", "set it to 0.99",
        f"With 0.99 it is {slow.best:,}, the shortest", "as long as with 0.95",
    ]  # fmt: skip


def pheromone() -> list[str]:
    (spec,) = exercises("pheromone")
    both, params = result(spec), spec.stages[0].params
    deaf, blind, slow = (
        run_result("kroA100", "ant-system", **params | change)
        for change in ({"alpha": 0.0}, {"beta": 0.0}, {"rho": 0.02})
    )
    optimum = resolve(spec.instance, None).optimum
    assert deaf.colony("mean")[99] > 0.98 * deaf.colony("mean")[0]
    assert 6 < blind.best / optimum < 7
    assert blind.best > deaf.best
    return [
        f"map has 100 cities; its shortest tour has a length of {optimum:,}", "100 **iterations**, 100 ants",
        f"best tour is {both.lengths[0]:,} long, in the tenth {both.lengths[9]:,}.",
        f"whole run is {both.best:,}, a gap of {both.gap:.1f} %", "alpha, to 0", f"is now {deaf.best:,}",
        "alpha back to 1", "beta, to 0", f"best is {blind.best:,}", "beta back to 2", "Set it to 0.02",
        f"best is {slow.best:,}", f"With 0.5 it was {both.best:,}", "over 100 iterations", "Alpha is 0", "Beta is 0",
        "Rho is 0.5", f"from {both.lengths[0]:,} to {both.best:,}",
    ]  # fmt: skip


def stagnation() -> list[str]:
    (spec,) = exercises("stagnation")
    params = spec.stages[0].params
    strong = result(spec)
    slow, slowest = (run_result("kroA100", "ant-system", **params | {"rho": rho}) for rho in (0.02, 0.001))
    bits = strong.colony("entropy")
    assert min(strong.best, slow.best, slowest.best) == slow.best
    return [
        "Usually it is 1.", "alpha to 3", "colony has 300", "in each, 100 ants", "rho, is 0.5",
        f"length of {strong.best:,}", f"found in iteration {strong.found_at()}.",
        f"The {300 - strong.found_at()} iterations",
        f"from {bits[0]:.1f} bits in the first iteration to {bits[9]:.1f} in the tenth", "**Evaporation** to 0.02",
        f"is now {slow.best:,}, found in iteration {slow.found_at()}",
        f"tenth iteration is still {slow.colony('entropy')[9]:.1f} bits", "**Evaporation** to 0.001",
        f"is now {slowest.best:,}, found in iteration {slowest.found_at()}", "at iteration 100", "near 1 bit",
        "since iteration 10", "at 5 bits",
    ]  # fmt: skip


def held_karp_wall() -> list[str]:
    (spec,) = exercises("held-karp-wall")
    small, larger = result(spec), run_result("gr21", "held-karp")
    layers = [next(event for event in each.events if isinstance(event, Layers)) for each in (small, larger)]
    subsets, (ways, more) = int(layers[0].subsets.sum()), (int(each.transitions.sum()) for each in layers)
    work = dict(zip(layers[0].cities.tolist(), layers[0].cities_transitions.tolist(), strict=True))
    assert all(work[n + 1] > 2 * work[n] for n in range(5, 40))
    assert 24 < more / ways < 26
    assert 1000 / 2 < work[33] / work[24] * 2**-0.3 < 2 * 1000
    assert work[33] / work[24] <= 1000 * 1.1 < work[34] / work[24]
    assert 2**24 > 10**7
    return [
        "It solves 17 cities", "do 34 cities take?", "More than 500,000 times", "The gap is 0",
        f"length of {small.best:,}.", f"With 17 cities, the method examined {subsets:,} groups", f"and {ways:,} ways",
        "instance to gr21",
        f"length of {larger.best:,}.", "Only 4 more cities",
        f"but {more:,} transitions instead of {ways:,}: about 25 times",
        f"For 34 cities it would be {round(work[34] / work[17], -3):,.0f} times the work of 17", "manages 24 cities",
        "About 9 cities", "24,000 cities", "48 cities", "For 48 instead of 24 cities",
    ]  # fmt: skip


def gaps_and_bounds() -> list[str]:
    climb_spec, proof_spec = exercises("gaps-and-bounds")
    climb, proof = result(climb_spec), result(proof_spec)
    many = run_result(climb_spec.instance, "two-opt", climbers=100)
    lengths = distance_matrix(resolve(climb_spec.instance, None)).astype(np.int64)
    np.fill_diagonal(lengths, np.iinfo(np.int64).max)
    bound = math.ceil(np.sort(lengths, axis=1)[:, :2].sum() / 2)
    assert bound < proof.best < climb.best
    assert many.best == proof.best
    assert resolve(climb_spec.instance, None).optimum is None
    first, *_, last = [each for each in compute_lower_bounds(resolve(climb_spec.instance, None)) if each is not None]
    assert not first.prices.any()
    assert last.length == proof.best
    return [
        "new and random: 14 cities", f"tour has a length of {climb.best:,}", f"*at most* {climb.best:,}",
        f"two ends: {bound:,}", f"at most {math.ceil(100 * (climb.best / bound - 1))} % too long", "For 14 cities",
        f"optimum is {proof.best:,}, proven", f"first run was {100 * (climb.best / proof.best - 1):.1f} % too long",
        "gap of 0 alone", "**Climbers** to 100", f"best is {many.best:,}", "gap of 1 %",
        f"In step 1 its length is {first.length:,}", f"last step, the bound is {last.length:,}",
        "about 1 % below the optimum", "shows a **1-tree**. A 1-tree leaves out one city", "A tour is a 1-tree",
        "shortest 1-tree cannot", "the 1-tree looks more and more like a tour",
    ]  # fmt: skip


def moats() -> list[str]:
    berlin_spec, kro_spec = exercises("moats")
    berlin, kro = (resolve(each.instance, None) for each in (berlin_spec, kro_spec))
    found, many = result(berlin_spec), run_result("berlin52", "two-opt", climbers=1000)
    first, *_, last = find_moats(berlin)
    *_, highest = find_moats(kro)
    assert not first.widths.size
    assert (berlin.optimum, many.best) == (last.bound, last.bound)
    assert result(kro_spec).best >= kro.optimum
    return [
        f"{berlin.n} places in Berlin", "slider to step 1", f"all radii is {first.zones:,.0f}.", "searches by 2-opt",
        f"tour found has a length of {found.best:,}", f"zones and moats add up to {last.zones + last.moats:,.0f}",
        f"shortest tour is at least {last.bound:,} long",
        f"at most {100 * (found.best / last.bound - 1):.2f} % too long",
        "**Climbers** to 1,000", f"now has a length of {many.best:,}", f"For these {kro.n} cities",
        f"no tour is shorter than {highest.bound:,}",
        f"shortest tour has a length of {kro.optimum:,}, which is {100 * (kro.optimum / highest.bound - 1):.2f} % more",
    ]  # fmt: skip


def honest_race() -> list[str]:
    race, study = exercises("honest-race")
    one = [result(lane).best for lane in race.runs()]
    others = [
        [run_result("kroA200", "ant-system", seed, iterations=100, rho=rho).best for rho in (0.5, 0.9)]
        for seed in (2, 3)
    ]
    bests = {(cell.seed, cell.entry): result(make_run_spec(study, cell)).best for cell in list_cells(study)}
    wins = sum(bests[seed, 0] < bests[seed, 1] for seed in range(1, 11))
    assert len(bests) == 20
    as_far = sum(math.comb(10, k) for k in range(11) if max(k, 10 - k) >= wins) / 2**10
    return [
        "(0.5), in lane B nine tenths (0.9)",
        "the same 200 cities, the same seed and 100 rounds", "0.9 is the better setting",
        "0.9 is better on this map", "0.9 was better with this seed",
        f"Lane A ends at {one[0]:,}, lane B at {one[1]:,}",
        f"shorter by {one[0] - one[1]:,}, which is {100 * (one[0] / one[1] - 1):.1f} %", "**seed** to 2",
        f"With seed 2, lane A ends at {others[0][0]:,} and lane B at {others[0][1]:,}: A wins", "set it to 3",
        f"With seed 3, A wins again, {others[1][0]:,} against {others[1][1]:,}",
        "seeds 1 to 10", f"with {wins} of the 10 seeds",
        f"the chance that either side comes up at least {wins} times is {100 * as_far:.0f} %", f"So {wins} of 10",
        "Here both have 100 rounds", "try 20 settings", "one time in 20",
        f"looks better is {100 * (1 - 0.95**20):.0f} %", "them is 0.5 % better",
    ]  # fmt: skip


#: The phrases of each lesson.
CLAIMS: dict[str, Callable[[], list[str]]] = {
    "first-minute": first_minute,
    "two-opt-stuck": two_opt_stuck,
    "climbers-and-accuracy": climbers_and_accuracy,
    "a-million-climbers": a_million_climbers,
    "cooling": cooling,
    "pheromone": pheromone,
    "stagnation": stagnation,
    "held-karp-wall": held_karp_wall,
    "gaps-and-bounds": gaps_and_bounds,
    "moats": moats,
    "honest-race": honest_race,
}
