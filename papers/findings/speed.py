"""Figures computed for the findings on the charts of ``papers/published/speed.json``."""

from papers.committed import climb_time, load_result
from papers.findings.paper_figures import PaperFigures

FIGURES = PaperFigures("speed")


def _compare_energy() -> dict[str, object]:
    rows = load_result("speed/energy").measured.rows
    energy = {row: FIGURES.ours("energy", row, "energy of a climb") for row in rows}
    least, most = min(energy, key=energy.__getitem__), max(energy, key=energy.__getitem__)
    watts = {name: 1e5 * joules / climb_time(name, 100_000) for name, joules in energy.items()}
    low, high = min(watts, key=watts.__getitem__), max(watts, key=watts.__getitem__)
    return {
        "least": least, "least_energy": energy[least], "most": most, "most_energy": energy[most],
        "ratio": energy[most] / energy[least],
        "low": low, "low_watts": watts[low], "high": high, "high_watts": watts[high],
    }  # fmt: skip


VALUES = {"energy": _compare_energy}
