"""The colour of each algorithm, the same on every page and in every chart, in the light and in the dark theme.

The hues are those of M. Okabe and K. Ito, "Color Universal Design" (2008), which colour-blind people can tell apart,
slightly changed: yellow is ochre on white, most are lighter on the dark page. A test checks that all of them can be
told apart with each kind of colour vision. Lines of one algorithm differ in dashes, and every line also has a letter.
"""

from collections.abc import Sequence

#: Light and dark colour, by the algorithm's name; `assets/common/colours.css` has the same values.
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
#: The colours of an algorithm that is not in `COLOURS`, as the solvers of other projects, whose lines differ in dashes.
OTHER = ("#7a8698", "#93a0b3")
#: Dashes of the first, second, ... line of one colour, as Plotly draws them.
DASHES = ("solid", "8px,4px", "2px,4px", "10px,4px,2px,4px")


def variable(algorithm: str) -> str:
    """The name of an algorithm's colour in the style sheet, without the leading hyphens."""
    return f"algorithm-{algorithm if algorithm in COLOURS else 'other'}"


def shade(algorithm: str, dark: bool = False) -> str:
    """An algorithm's colour, ``#rrggbb``."""
    return COLOURS.get(algorithm, OTHER)[dark]


def dashes(algorithms: Sequence[str]) -> list[str]:
    """The dash style of an algorithm's line; lines of the same colour get different dashes."""
    names = [variable(algorithm) for algorithm in algorithms]
    return [DASHES[names[:k].count(name) % len(DASHES)] for k, name in enumerate(names)]
