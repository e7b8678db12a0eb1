"""Substitutes for missing solvers in saved runs, races and studies."""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from data.instance import Instance
from solvers.core.errors import InvalidParams
from solvers.core.events import Event
from solvers.core.params import VERSION, Params
from solvers.core.solver import Job, Solver, Variant


@dataclass(frozen=True)
class AnyParams(Params):
    """Parameters without a schema."""

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        return cls()

    @classmethod
    def renamed(cls, values: Mapping[str, Any], version: int = VERSION) -> dict[str, Any]:
        return dict(values)


class AbsentSolver(Solver):
    """Stands for a missing solver on pages; it is not in menus and cannot run. Each name gets a subclass."""

    family: ClassVar[str] = "your solver"
    source: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    params: ClassVar[type[Params]] = AnyParams
    variants: ClassVar[tuple[Variant, ...]] = (
        *(Variant("own", device, "", "", directed=True, supports_large=True) for device in ("cpu", "cuda")),
    )  # fmt: skip
    iteration_unit: ClassVar[str] = "climber"
    evaluation_unit: ClassVar[str] = "move"
    step_unit: ClassVar[str] = "move"
    listed: ClassVar[bool] = False

    def sentence(self) -> str:
        """Return a sentence that says that the solver is missing."""
        return f"The solver {self.name} is not here: start TourScope with its file, by --solver FILE."

    def solve(self, job: Job) -> Generator[Event, None, None]:
        raise InvalidParams("algorithm", self.name, "of this server", self.sentence())

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        raise InvalidParams("algorithm", self.name, "of this server", self.sentence())

    def refusal(self, instance: Instance, params: Params, device: str) -> str:
        return self.sentence()


def make_absent(name: str) -> AbsentSolver:
    """Return the substitute for the missing solver of this name."""
    return type("AbsentSolverOfAName", (AbsentSolver,), {"name": name, "title": name})()
