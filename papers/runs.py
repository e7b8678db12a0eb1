"""Runs behind entries that show a single run: figures 7 to 9 of Utne and Hansen (2023), section 7.3."""

from solvers import find
from solvers.spec import RunSpec, Stage

#: The instance, and by algorithm the presets with the paper's parameters; 2-opt needs none.
INSTANCE = "swiss42"
#: Climbs of figure 7, the last of which ends after 625 scans.
_CLIMBS = 17
_PRESETS = {"ant-system": "utne-hansen", "simulated-annealing": "utne-hansen-figure-9"}


def make_spec(algorithm: str) -> RunSpec:
    """Return the spec of the climbs, the colony or the chain on one core, with the paper's settings."""
    presets = {preset.name: preset.params for preset in find(algorithm).presets}
    params = presets[_PRESETS[algorithm]] if algorithm in _PRESETS else {"climbers": _CLIMBS}
    stage = Stage(algorithm, {**params, "variant": "sequential"})
    return RunSpec({"name": INSTANCE}, (stage,), 1, device="cpu")
