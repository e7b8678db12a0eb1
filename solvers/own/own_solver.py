"""The base class of users' own solvers: common declarations, and the replay of climbs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from solvers.core.events import Edges, Event, Moves, Rows
from solvers.core.params import Params
from solvers.core.solver import Job, Solver, Variant
from solvers.core.stop import Budget
from solvers.reporting.statistics import make_heartbeat


@dataclass(frozen=True)
class NoParams(Params):
    """The parameters of a solver that has none."""


class OwnSolver(Solver):
    """A solver with one variant on one thread; subclasses need a name, a title, a summary and `solve`.

    Attributes
    ----------
    replayed : int or None
        During a replay, the climber that is replayed, the only one that `Report` records. None in a run.
    """

    family: ClassVar[str] = "your solver"
    source: ClassVar[str] = "Your own file"
    summary: ClassVar[str] = "A solver of your own."
    params: ClassVar[type[Params]] = NoParams
    variants: ClassVar[tuple[Variant, ...]] = (Variant("own", "cpu", "", "As its file has it.", supports_large=True),)
    iteration_unit: ClassVar[str] = "climber"
    evaluation_unit: ClassVar[str] = "move"
    step_unit: ClassVar[str] = "move"

    replayed: int | None = None

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Reproduce a climb by repeating the run, without limits, up to this climb; that is slow for late climbers.

        A solver whose climbs are independent may override this, and compute only the requested climb.
        """
        stop = Budget().start()
        stop.clock.resume()
        self.replayed = climber
        try:
            for event in self.solve(replace(job, stop=stop)):
                if isinstance(event, Rows) and event.climber.size and event.climber[-1] >= climber:
                    return
                of_climber = (isinstance(event, Moves) and (event.climber == climber).all()) or (
                    isinstance(event, Edges) and event.climber == climber
                )
                yield event if of_climber else make_heartbeat()
        finally:
            self.replayed = None
