"""Algorithms' colours in the light and dark theme, and distinguishable colours within a race or study.

The hues are those of M. Okabe and K. Ito, "Color Universal Design" (2008), which colour-blind people can distinguish,
slightly changed: yellow is ochre on white, and most hues are lighter in the dark theme. A test checks that all colours
are distinguishable with each kind of colour vision. Lines of one algorithm differ in dashes, and every line also has a
letter.
"""

import math
import operator
from collections.abc import Sequence
from functools import cache

#: Light and dark colour by the algorithm's name.
COLOURS = {
    "two-opt": ("#0072b2", "#4695e2"),
    "lin-kernighan": ("#fa325a", "#3cfab4"),
    "ant-system": ("#d55e00", "#f07838"),
    "max-min-ant-system": ("#009e73", "#2cc79b"),
    "ant-colony-system": ("#a8327f", "#e182be"),
    "held-karp": ("#1b2330", "#e7ecf3"),
    "branch-and-cut": ("#6e0a6e", "#b40a5a"),
    "greedy": ("#e69f00", "#e8b23f"),
    "nearest-neighbour": ("#38a0d8", "#a7d8ff"),
    "simulated-annealing": ("#805800", "#eeef07"),
    "genetic-algorithm": ("#aa4cfe", "#8c25ff"),
    "tabu-search": ("#3700fd", "#5d5ad7"),
    "particle-swarm": ("#55039e", "#ac32a1"),
    "artificial-bee-colony": ("#550f00", "#8e6847"),
    "farthest-insertion": ("#28003c", "#0a640a"),
    "nearest-insertion": ("#d2aa50", "#befa82"),
    "cheapest-insertion": ("#464646", "#be0014"),
    "savings": ("#7643c8", "#bf8c71"),
    "christofides": ("#506e3c", "#a0c878"),
    "space-filling-curve": ("#2d0102", "#ff5df6"),
    "random": ("#9ea2aa", "#6c717c"),
}
#: Colours of algorithms that are not in `COLOURS`, such as reference solvers, whose lines differ in dashes.
OTHER = ("#7a8698", "#93a0b3")
_TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
#: Minimum distance in OKLab (B. Ottosson, 2020) between colours that can be told apart at a glance.
_CLOSE = 0.145
#: Algorithms whose colours replace similar ones.
_VIVID = (
    "two-opt", "ant-system", "max-min-ant-system", "ant-colony-system", "greedy", "genetic-algorithm", "lin-kernighan",
    "tabu-search",
)  # fmt: skip
#: Dashes of the first, second, ... line of the same colour, as in Plotly.
DASHES = ("solid", "8px,4px", "2px,4px", "10px,4px,2px,4px")


def find_variable(algorithm: str) -> str:
    """Return the name of an algorithm's colour in the style sheet, without leading hyphens."""
    return f"algorithm-{algorithm if algorithm in COLOURS else 'other'}"


def declare_colours() -> str:
    """Return the rule of style sheets with these colours."""
    colours = (COLOURS | {"other": OTHER}).items()
    values = [f"    --algorithm-{name}: light-dark({light}, {dark});" for name, (light, dark) in colours]
    return "\n".join([":root {", *values, "}\n"])


def find_shade(algorithm: str, dark: bool = False) -> str:
    """Return an algorithm's colour, ``#rrggbb``."""
    return COLOURS.get(algorithm, OTHER)[dark]


def choose_apart(algorithms: Sequence[str]) -> list[str]:
    """Choose distinguishable colours for series: the algorithm's, unless an earlier one is similar.

    Parameters
    ----------
    algorithms : sequence of str
        Algorithm of each series, possibly with duplicates.

    Returns
    -------
    list of str
        An argument of `find_variable` and `find_shade` for each series: its algorithm, or one whose colour is the
        farthest from all others in both themes. If no distinguishable colour is left, it is the algorithm.
    """
    chosen: list[str] = []
    for algorithm in algorithms:
        others = [*chosen, *algorithms[len(chosen) + 1 :]]
        farthest = max(_VIVID, key=lambda name: min((_compute_distance(name, other) for other in others), default=1.0))
        is_clear = all(_compute_distance(algorithm, other) >= _CLOSE for other in chosen)
        chosen.append(
            algorithm if is_clear or any(_compute_distance(farthest, other) < _CLOSE for other in chosen) else farthest
        )
    return chosen


@cache
def _compute_distance(one: str, other: str) -> float:
    """Return the distance between two colours in the theme where they are closer."""
    return min(
        math.dist(_convert_to_oklab(find_shade(one, dark)), _convert_to_oklab(find_shade(other, dark)))
        for dark in (False, True)
    )


def _convert_to_oklab(colour: str) -> tuple[float, ...]:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    cones = [math.cbrt(sum(map(operator.mul, row, linear))) for row in _TO_CONES]
    return tuple(sum(map(operator.mul, row, cones)) for row in _TO_LAB)


def choose_dashes(algorithms: Sequence[str]) -> list[str]:
    """Return each algorithm's Dash line style; lines of the same colour get different dashes."""
    names = [find_variable(algorithm) for algorithm in algorithms]
    return [DASHES[names[:k].count(name) % len(DASHES)] for k, name in enumerate(names)]


def choose_styles(algorithms: Sequence[str]) -> list[dict[str, str]]:
    """Return each algorithm's ``colour`` (of the style sheet) and ``dash`` among these series."""
    colours, dashes = map(find_variable, choose_apart(algorithms)), choose_dashes(algorithms)
    return [{"colour": colour, "dash": dash} for colour, dash in zip(colours, dashes, strict=True)]
