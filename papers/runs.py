"""Runs behind entries that are of one run: figures 7 to 9 of Utne and Hansen (2023), section 7.3."""

from solvers import find
from solvers.spec import RunSpec, Stage

#: Its instance, and the presets with the paper's parameters, by algorithm; of 2-opt it has none.
INSTANCE = "swiss42"
#: Climbs of figure 7, of which the last ends after 625 scans.
_CLIMBS = 17
_PRESETS = {"ant-system": "utne-hansen", "simulated-annealing": "utne-hansen-figure-9"}


def spec(algorithm: str) -> RunSpec:
    """The climbs, the colony or the chain on one core, as the paper sets it."""
    presets = {preset.name: preset.params for preset in find(algorithm).presets}
    params = presets[_PRESETS[algorithm]] if algorithm in _PRESETS else {"climbers": _CLIMBS}
    stage = Stage(algorithm, {**params, "variant": "sequential"})
    return RunSpec({"name": INSTANCE}, (stage,), 1, device="cpu")
