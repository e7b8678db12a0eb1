"""Parameters of the genetic algorithm."""

from dataclasses import dataclass

from solvers.core.params import Params, param, variant_param

#: Crossovers, E-sets of edge assembly, and criteria for the surviving child.
EDGE_ASSEMBLY, ORDER = "edge-assembly", "order"
SINGLE, RANDOM = "single", "random"
GREEDY, ENTROPY = "greedy", "entropy"
#: Methods for the tours of the first generation.
SHORTENED, RANDOM_TOURS = "2-opt+or-opt", "random"


@dataclass(frozen=True)
class GeneticParams(Params):
    """Parameters of `GeneticAlgorithm`."""

    crossover: str = param(
        EDGE_ASSEMBLY, label="Crossover",
        help=(
            "edge-assembly exchanges edges in which the parents differ; order takes a part of one parent, and the "
            "remaining cities in the order of the other."
        ),
        choices=(EDGE_ASSEMBLY, ORDER),
    )  # fmt: skip
    population: int = param(
        300, label="Population", help="The number of tours in a generation.",
        low=2, high=10_000, step=1, scale="log", symbol="N", tune=(20, 1000),
    )  # fmt: skip
    offspring: int = param(
        30, label="Offspring", help="How many children each pair of parents has; the best may replace a parent.",
        low=1, high=1000, step=1, scale="log", tune=(5, 100),
    )  # fmt: skip
    generations: int = param(
        300, label="Generations", help="The number of generations, counting the first, which has no parents.",
        low=1, high=100_000, step=1, scale="log",
    )  # fmt: skip
    mutation: float = param(
        0.2, label="Mutation",
        help="Order crossover only: the probability that a random part of a child is reversed, which is a 2-opt move.",
        low=0.0, high=1.0, step=0.05,
    )  # fmt: skip
    initial: str = param(
        SHORTENED, label="First generation",
        help="Random tours, shortened by 2-opt and Or-opt or left as they are.", choices=(SHORTENED, RANDOM_TOURS),
    )  # fmt: skip
    selection: str = param(
        GREEDY, label="Selection",
        help=(
            "Edge assembly only: greedy keeps the shortest child; entropy weighs gain against lost diversity, which "
            "takes more generations but gives shorter tours."
        ),
        choices=(GREEDY, ENTROPY),
    )  # fmt: skip
    e_set: str = param(
        SINGLE, label="E-set",
        help="Edge assembly only: a child takes the edges of one AB-cycle, or those of each with probability 1/2.",
        choices=(SINGLE, RANDOM), advanced=True,
    )  # fmt: skip
    neighbours: int = param(
        10, label="Neighbours", help="How many nearest cities 2-opt and the merging of subtours consider.",
        low=1, high=50, step=1, advanced=True,
    )  # fmt: skip
    variant: str = variant_param(("cpu", "sequential"), "Where it runs: on all cores, or in one thread.")

    @property
    def exchanges_edges(self) -> bool:
        """Return whether children are created by edge assembly."""
        return self.crossover == EDGE_ASSEMBLY
