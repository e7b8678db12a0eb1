"""Checks whether Optuna is installed; only `studies.tuning.advisor` imports it."""

from importlib.util import find_spec

from data.command_line import format_install_command
from solvers.core.errors import DeviceUnavailable
from studies.spec.spec import StudySpec

#: Message if Optuna is missing.
MISSING = f"A tuning study needs Optuna, which is not installed: {format_install_command('optuna')}."


def is_missing() -> bool:
    """Return whether Optuna is not installed."""
    return find_spec("optuna") is None


def check(spec: StudySpec) -> None:
    """Check that the packages a tuning study needs are installed.

    Raises
    ------
    DeviceUnavailable
        If the study is a tuning study and Optuna is not installed.
    """
    if spec.tune is not None and is_missing():
        raise DeviceUnavailable(MISSING)
