"""Whether the package that proposes trials is installed; it is imported by `studies.tuning.advisor` alone."""

from importlib.util import find_spec

from data.command_line import install
from solvers.errors import DeviceUnavailable
from studies.spec.spec import StudySpec

#: What a tuning says where it is not.
MISSING = f"A tuning needs Optuna, which is not installed: {install('optuna')}."


def is_missing() -> bool:
    """Whether Optuna is not installed."""
    return find_spec("optuna") is None


def check(spec: StudySpec) -> None:
    """Check that the packages that a study needs besides its algorithms' are installed.

    Raises
    ------
    DeviceUnavailable
        If it is a tuning, and Optuna is not installed.
    """
    if spec.tune is not None and is_missing():
        raise DeviceUnavailable(MISSING)
