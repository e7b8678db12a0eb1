"""Draw the pictures of the lessons' cards: ``python tests/components/learn/draw_pictures.py``, half a minute.

Each is made of runs: a tour, a chart or pheromone. Its opacity is what counts; the page gives it its colour.
"""

from pathlib import Path
from typing import Any

import numpy as np

import tourscope as ts
from data.collection.listing import load
from solvers.bounds.moats import find_moats

FOLDER = Path(__file__).parents[3] / "assets" / "learn" / "pictures"
WIDTH, HEIGHT, MARGIN = 120, 84, 6


def fit(points: np.ndarray) -> np.ndarray:
    """Scale points to the picture without changing their aspect ratio; y upwards."""
    low, high = points.min(axis=0), points.max(axis=0)
    scale = min((WIDTH - 2 * MARGIN) / (high[0] - low[0]), (HEIGHT - 2 * MARGIN) / (high[1] - low[1]))
    centred = (points - (low + high) / 2) * scale * (1, -1)
    return centred + np.array([WIDTH, HEIGHT]) / 2


def stretch(x: np.ndarray, y: np.ndarray, low: float, high: float) -> np.ndarray:
    """Scale a curve to the width of the picture and, from ``low`` to ``high``, to its height."""
    across = MARGIN + (x - x.min()) / (x.max() - x.min()) * (WIDTH - 2 * MARGIN)
    return np.column_stack([across, HEIGHT - MARGIN - (y - low) / (high - low) * (HEIGHT - 2 * MARGIN)])


def path(points: np.ndarray, closed: bool = False, width: float = 1.6, opacity: float = 1) -> str:
    """A line through points."""
    steps = " ".join(f"{x:.1f} {y:.1f}" for x, y in points)
    end = "z" if closed else ""
    return f'<path d="M{steps}{end}" stroke-width="{width:g}" opacity="{opacity:.2f}"/>'


def dots(points: np.ndarray, radius: float | str = 1.7) -> str:
    """A dot at each point."""
    return "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="#000" stroke="none"/>' for x, y in points)


def save(name: str, *shapes: str) -> None:
    """Write a picture."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" fill="none" stroke="#000"'
    (FOLDER / f"{name}.svg").write_text(f'{head} stroke-linejoin="round">{"".join(shapes)}</svg>\n')


def cities(name: str) -> np.ndarray:
    """The coordinates of a bundled instance, scaled to the picture, shape (n, 2)."""
    return fit(np.array(load(name).coordinates))


def events(instance: str, algorithm: ts.Algorithm, kind: type, **options: Any) -> list[Any]:
    """The events of one kind of a run."""
    with ts.run(instance, algorithm, seed=1, **options) as run:
        return [event for event in run if isinstance(event, kind)]


def edges(order: np.ndarray) -> list[tuple[int, int]]:
    """The edges of a round trip."""
    return list(zip(order.tolist(), np.roll(order, -1).tolist(), strict=True))


def tours() -> None:
    """Draw the lessons that show tours of berlin52."""
    at = cities("berlin52")
    best = ts.solve("berlin52", ts.LinKernighan(), seconds=1, seed=1).tour
    save("first-minute", path(at[best], closed=True), dots(at))

    stuck = ts.solve("berlin52", ts.TwoOpt(climbers=1), seed=1).tour
    shortest = {frozenset(edge) for edge in edges(best)}
    others = [path(at[list(edge)], width=2.6) for edge in edges(stuck) if frozenset(edge) not in shortest]
    save("two-opt-stuck", path(at[stuck], closed=True, width=1.2, opacity=0.4), *others, dots(at))

    climbs = [ts.solve("berlin52", ts.TwoOpt(climbers=1), seed=seed).tour for seed in range(1, 25)]
    places = [(at * 0.155) + (2 + 19.5 * (k % 6), 4 + 20 * (k // 6)) for k in range(len(climbs))]
    save("a-million-climbers", *[path(p[tour], True, 0.7) for p, tour in zip(places, climbs, strict=True)])
    for name, iterations in ("pheromone", 15), ("stagnation", 300):
        save(name, *trails(iterations))


def trails(iterations: int) -> list[str]:
    """Draw each edge of berlin52 as dark as its pheromone in Ant System."""
    at, colony = cities("berlin52"), ts.AntSystem(iterations=iterations)
    field = events("berlin52", colony, ts.events.Field, pictures=True)[-1]
    shares = field.trail / field.trail.max()
    shown = zip(field.edges[shares > 0.02], shares[shares > 0.02], strict=True)
    return [path(at[edge], width=2, opacity=share**0.5) for edge, share in shown] + [dots(at, 1.5)]


def moats() -> None:
    """Draw the lesson about zones and moats: the optimum of berlin52, with each moat around its cities."""
    *_, picture = find_moats(load("berlin52"))
    reach, rings, shapes = np.array(picture.radii), [], []
    for width, inside in zip(picture.widths[::-1], picture.inside[::-1], strict=True):
        reach[inside] += width
        rings.append((inside, reach[inside]))
    at = np.array(load("berlin52").coordinates)
    placed = fit(np.vstack([at, at + reach[:, None], at - reach[:, None]]))
    places, scale = placed[: len(at)], np.ptp(placed[:, 0]) / np.ptp(np.hstack([at[:, 0] + reach, at[:, 0] - reach]))
    for inside, radii in [(np.arange(len(at)), picture.radii), *rings][::-1]:
        discs = zip(places[inside], radii * scale, strict=True)
        shapes.append(f'<g opacity="0.25">{"".join(dots(place[None], f"{radius:.1f}") for place, radius in discs)}</g>')
    tour = ts.solve("berlin52", ts.LinKernighan(), seconds=1, seed=1).tour
    save("moats", *shapes, path(places[tour], closed=True))


def charts() -> None:
    """Draw the lessons that show lengths, times and bounds."""
    ends = np.concatenate([e.length for e in events("kroA100", ts.TwoOpt(climbers=1000), ts.events.Rows)]).astype(float)
    log = np.log(np.arange(1, len(ends) + 1))
    falls = np.minimum.accumulate(ends)
    low, high = falls.min(), falls.max()
    near = stretch(log, ends, low, high)
    shown = near[near[:, 1] > MARGIN][::7]
    stairs = stretch(np.repeat(log, 2)[1:], np.repeat(falls, 2)[:-1], low, high)
    save("climbers-and-accuracy", f'<g opacity="0.3">{dots(shown, 1)}</g>', path(stairs, width=2))

    moves = events("berlin52", ts.SimulatedAnnealing(chains=1), ts.events.Moves)
    walk = np.concatenate([event.length for event in moves]).astype(float)[1:]
    walk = walk[:: max(1, len(walk) // 90)]
    save("cooling", path(stretch(np.arange(len(walk)), walk, walk.min(), walk.max()), width=1.8))

    optimum = ts.solve("kroA200", ts.LinKernighan(), seconds=1, seed=1).length
    tree = events("kroA200", ts.BranchAndCut(), ts.events.Tree, seconds=20)
    bounds = np.concatenate([event.bound for event in tree])
    bounds = np.maximum(bounds[bounds > 0].astype(float), 0.9 * optimum)
    best = np.concatenate([e.best for e in events("kroA200", ts.TwoOpt(climbers=300), ts.events.Progress)])
    above = np.minimum(np.minimum.accumulate(best)[1:].astype(float), 1.15 * optimum)
    save("gaps-and-bounds", *[
        path(stretch(np.log1p(np.arange(len(each))), each, 0.9 * optimum, 1.15 * optimum), width=2, opacity=opacity)
        for each, opacity in ((above, 1), (bounds, 0.5))
    ])  # fmt: skip

    states = np.array([n * 2.0**n for n in range(4, 14)])
    across = np.linspace(MARGIN + 4, WIDTH - MARGIN - 4, len(states))
    tall = states / states.max() * (HEIGHT - 2 * MARGIN)
    low = HEIGHT - MARGIN
    bars = [
        f'<path d="M{x:.1f} {low}v{-max(h, 0.6):.1f}" stroke-width="8"/>' for x, h in zip(across, tall, strict=True)
    ]
    save("held-karp-wall", *bars)

    racers = {ts.TwoOpt(climbers=100_000): 1, ts.SimulatedAnnealing(): 0.65, ts.AntSystem(): 0.35}
    save("honest-race", *[path(curve("kroA200", each), width=1.8, opacity=shade) for each, shade in racers.items()])


def curve(instance: str, algorithm: ts.Algorithm) -> np.ndarray:
    """The best length over the logarithm of time during two seconds, from the optimum to 50 % above it."""
    progress = events(instance, algorithm, ts.events.Progress, seconds=2)
    seconds = np.concatenate([event.elapsed for event in progress])
    best = np.concatenate([event.best for event in progress]).astype(float)
    shown = seconds > 0.005
    return stretch(np.log(seconds[shown]), np.minimum(best[shown], 1.5 * best.min()), best.min(), 1.5 * best.min())


if __name__ == "__main__":
    tours()
    moats()
    charts()
