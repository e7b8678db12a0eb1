"""Climbers against accuracy: a study of 2-opt from increasing numbers of random tours.

After J. Utne and H. N. W. Hansen, "Solving TSP on the GPU based on heuristic algorithms" (2023), sections 7.4, 7.5.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from solvers.algorithms.two_opt.params import TwoOptParams
from solvers.spec import VERSION
from studies.spec.spec import StudySpec

ALGORITHM = "two-opt"


def make_climbers_spec(counts: Iterable[Any], variant: str, shared: Mapping[str, Any]) -> StudySpec:
    """Build a study with an entry per number of climbers, ascending; longer runs repeat the shorter ones.

    Parameters
    ----------
    counts : iterable
        Numbers of climbers; duplicates count once.
    variant : str
        Variant of 2-opt.
    shared : mapping
        Other fields of the study as JSON, including its single instance.

    Raises
    ------
    InvalidParams, InvalidInstance
        If an argument is invalid.
    """
    params = [TwoOptParams.from_mapping({"climbers": count, "variant": variant}) for count in sorted(set(counts))]
    entries = [
        {
            "label": f"{param.climbers:,}",
            "stages": [{"algorithm": ALGORITHM, "params": {"variant": variant, "climbers": param.climbers}}],
        }
        for param in params
    ]
    return StudySpec.from_json({"v": VERSION, **shared, "entries": entries})


def list_climber_counts(spec: StudySpec) -> tuple[int, ...]:
    """Return each entry's number of climbers in a study of `make_climbers_spec`."""
    return tuple(entry.stages[-1].params["climbers"] for entry in spec.entries)
