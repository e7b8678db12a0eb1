"""Made-up studies for tests: tables from plain lists, and random ones of any size."""

import numpy as np
from hypothesis import strategies as st

from studies.stats.logs import Logs
from studies.stats.table import Entries, Instances, Runs, Table

#: One run of a made-up study: instance, entry, seed, total seconds, and its improvements (seconds, length).
Plain = tuple[int, int, int, float, list[tuple[float, int]]]


def make_table(rows: list[Plain], optimum=(1000,), proven=None, units=None) -> Table:
    """A table of plain rows; each run has 100 evaluations and 10 iterations per second."""
    offsets = np.cumsum([0, *(len(row[4]) for row in rows)])
    seconds = np.array([at for row in rows for at, _ in row[4]], np.float64)
    length = np.array([value for row in rows for _, value in row[4]], np.int64)
    total = np.array([row[3] for row in rows], np.float64)
    final = np.array([row[4][-1][1] if row[4] else 0 for row in rows], np.int64)
    best_at = np.array([row[4][-1][0] if row[4] else 0 for row in rows], np.float64)
    entries = max((row[1] for row in rows), default=0) + 1
    named = tuple(units or ["move"] * entries)
    instances = Instances(
        tuple(f"i{k}" for k in range(len(optimum))),
        np.array(optimum, np.int64),
        np.array(proven if proven is not None else [True] * len(optimum), bool),
    )
    runs = Runs(
        *(np.array([row[k] for row in rows], np.int64) for k in range(3)),
        final,
        total,
        best_at,
        (100 * total).astype(np.int64),
        (10 * total).astype(np.int64),
        np.full(final.size, "time"),
        np.full(final.size, "cpu"),
    )
    logs = Logs(offsets, seconds, (100 * seconds).astype(np.int64), (10 * seconds).astype(np.int64), length)
    return Table(instances, Entries(tuple("ABCDEFGHIJ"[:entries]), named, named), runs, logs)


def ends(samples: dict[tuple[int, int], list[int]], **about) -> Table:
    """A table with final lengths only: ``samples[instance, entry]`` are those of seeds 1, 2, ..."""
    rows = [
        (instance, entry, seed, 1.0, [(0.5, length)])
        for (instance, entry), lengths in samples.items()
        for seed, length in enumerate(lengths, 1)
    ]
    instances = 1 + max(instance for instance, _ in samples)
    return make_table(rows, **{"optimum": (1000,) * instances, **about})


@st.composite
def plain_studies(draw) -> list[Plain]:
    """A few runs of up to three instances and entries, with short logs; some found no tour."""
    rows = []
    for seed in range(draw(st.integers(1, 12))):
        lengths = sorted(draw(st.sets(st.integers(1000, 1300), max_size=6)), reverse=True)
        seconds = sorted(draw(st.lists(st.integers(0, 20), min_size=len(lengths), max_size=len(lengths))))
        total = draw(st.integers(max([1, *seconds]), 25))
        improvements = [(float(at), length) for at, length in zip(seconds, lengths, strict=True)]
        code = st.integers(0, 2)
        rows.append((draw(code), draw(code), seed, float(total), improvements))
    return rows


def large(runs: int = 3000, points: int = 200, entries: int = 5, seeds: int = 10) -> Table:
    """A study of this many runs, each with a log of this many improvements."""
    rng = np.random.default_rng(8)
    codes = np.arange(runs)
    instance, entry, seed = codes // (entries * seeds), codes // seeds % entries, codes % seeds
    shape = (runs, points)
    seconds = np.sort(rng.uniform(1e-4, 1.0, shape), axis=1)
    length = 20_000 + np.cumsum(rng.integers(1, 40, shape), axis=1)[:, ::-1] + 50 * entry[:, None]
    evaluations = (1e6 * seconds).astype(np.int64)
    count = int(instance.max()) + 1
    instances = Instances(tuple(map(str, range(count))), np.full(count, 19_990), np.ones(count, bool))
    label = tuple("ABCDEFGHIJ"[:entries])
    of_run = Runs(
        instance,
        entry,
        seed,
        length[:, -1].copy(),
        np.ones(runs),
        seconds[:, -1].copy(),
        np.full(runs, 10**6),
        np.full(runs, 10**3),
        np.full(runs, "time"),
        np.full(runs, "cpu"),
    )
    logs = Logs(
        np.arange(runs + 1) * points,
        seconds.ravel(),
        evaluations.ravel(),
        evaluations.ravel() // 1000,
        length.ravel(),
    )
    return Table(instances, Entries(label, ("move",) * entries, ("climber",) * entries), of_run, logs)
