"""Tools for your own solver, explained in ``docs/your-solver.md``; start from the solver in `template`.

`OwnSolver` is the base class of such solvers; `Report` and `Climb` turn tours and moves into events. The other names
are exported again here, so that a file needs only one import.
"""

from data.distances import distance_matrix as distance_matrix
from data.distances import edge_lengths as edge_lengths
from data.distances import tour_length as tour_length
from data.instance import Instance as Instance
from solvers.core.errors import InstanceTooLarge as InstanceTooLarge
from solvers.core.events import Event as Event
from solvers.core.params import Params as Params
from solvers.core.params import param as param
from solvers.core.solver import Job as Job
from solvers.core.solver import Preset as Preset
from solvers.core.solver import Variant as Variant
from solvers.own.climb import Climb as Climb
from solvers.own.own_solver import OwnSolver as OwnSolver
from solvers.own.report import Report as Report
