"""Findings on the charts of `papers.speed`."""

from collections.abc import Callable

from papers.committed import TWO_OPT, card, climb_time, copy_rate, figure, measured_on, pace, result


def _describe_cities() -> str:
    return (
        f"matr_g falls from {pace('matr_g, two rows', 200):,.0f} billion moves a second for 200 cities to "
        f"{pace('matr_g, two rows', 439):,.0f} for 439, where its matrix leaves the nearest cache; strip, which "
        f"computes distances, rises from {pace('strip', 100):,.0f} to {pace('strip', 1000):,.0f} for 1,000 "
        f"({card(TWO_OPT)})."
    )


def _describe_climbers() -> str:
    return (
        f"1,000 climbers take {climb_time('calculated', 1000):.1f} ms by calculated and "
        f"{climb_time('matr_s, two rows', 1000):.1f} ms by matr_s, one climber nearly as long: the GPU is not full. "
        f"From 10,000 climbers on the time of calculated grows with them, from 100,000 on that of matr_s "
        f"({card(TWO_OPT)})."
    )


def _describe_threads() -> str:
    return "Threads beyond the cores would take turns, and are not measured."


def _describe_energy() -> str:
    energy = {row: figure("speed/energy", row, "energy of a climb") for row in result("speed/energy").measured.rows}
    least, most = min(energy, key=energy.__getitem__), max(energy, key=energy.__getitem__)
    watts = {name: 1e5 * joules / climb_time(name, 100_000) for name, joules in energy.items()}
    low, high = min(watts, key=watts.__getitem__), max(watts, key=watts.__getitem__)
    return (
        f"A climb takes {energy[least]:.3f} mJ by {least}, {energy['strip']:.2f} mJ by strip and {energy[most]:.2f} mJ "
        f"by {most}, {energy[most] / energy[least]:.0f} times as much ({measured_on('speed/energy')}). Over the time "
        f"of 100,000 climbs that is {watts[low]:,.0f} W by {low}, which waits for memory, up to "
        f"{watts[high]:,.0f} W by {high}. GPUs whose driver does not tell energy (NVML, Volta and later do) have none."
    )


def _describe_roofline() -> str:
    return (
        f"A copy within the memory reaches {copy_rate():,.0f} GB/s. matr_s and the variants of Utne and Hansen on "
        "small instances are above its slope, since shared memory and caches serve them; on 1,000 cities matr_g and "
        "calculated are below it. Bytes are those that a scan asks for, from wherever; the operations leave out "
        f"indices, so that no point can reach the flat roof ({card(TWO_OPT)})."
    )


FINDINGS: dict[str, Callable[[], str]] = {
    "two-opt-cities": _describe_cities,
    "two-opt-climbers": _describe_climbers,
    "two-opt-threads": _describe_threads,
    "energy": _describe_energy,
    "roofline": _describe_roofline,
}
