"""Findings on the charts of ``papers/published/speed.json``."""

from collections.abc import Callable

from papers.committed import TWO_OPT, cite, cite_entry, climb_time, copy_rate, figure, load_result, pace


def _describe_cities() -> str:
    return (
        f"The variant matr_g falls from {pace('matr_g, two rows', 200):,.0f} billion moves a second for 200 cities to "
        f"{pace('matr_g, two rows', 439):,.0f} for 439, where its matrix no longer fits the nearest cache. The variant "
        f"strip computes distances, and rises from {pace('strip', 100):,.0f} for 100 cities to "
        f"{pace('strip', 1000):,.0f} for 1,000 ({cite(TWO_OPT)})."
    )


def _describe_climbers() -> str:
    return (
        f"For 1,000 climbers, calculated takes {climb_time('calculated', 1000):.1f} ms and matr_s "
        f"{climb_time('matr_s, two rows', 1000):.1f} ms. One climber takes nearly as long, because the GPU is not "
        "full. The time of calculated grows with the climbers from 10,000 on, and that of matr_s from 100,000 on "
        f"({cite(TWO_OPT)})."
    )


def _describe_threads() -> str:
    return "Threads beyond the cores would take turns, and are not measured."


def _describe_energy() -> str:
    energy = {
        row: figure("speed/energy", row, "energy of a climb") for row in load_result("speed/energy").measured.rows
    }
    least, most = min(energy, key=energy.__getitem__), max(energy, key=energy.__getitem__)
    watts = {name: 1e5 * joules / climb_time(name, 100_000) for name, joules in energy.items()}
    low, high = min(watts, key=watts.__getitem__), max(watts, key=watts.__getitem__)
    return (
        f"A climb takes {energy[least]:.3f} mJ with {least}, {energy['strip']:.2f} mJ with strip and "
        f"{energy[most]:.2f} mJ with {most}, {energy[most] / energy[least]:.0f} times as much "
        f"({cite_entry('speed/energy')}). Over the time of 100,000 climbs, the power ranges from {watts[low]:,.0f} W "
        f"with {low}, which waits for memory, to {watts[high]:,.0f} W with {high}. There are no figures for GPUs whose "
        "driver does not report energy; NVML reports it from Volta on."
    )


def _describe_roofline() -> str:
    return (
        f"A copy within the memory reaches {copy_rate():,.0f} GB/s. On small instances, matr_s and the variants of "
        "Utne and Hansen lie above its slope, because shared memory and caches serve them. On 1,000 cities, matr_g "
        "and calculated lie below it. The bytes are those that a scan requests, wherever they come from. The "
        f"operations leave out index arithmetic, so no point can reach the flat roof ({cite(TWO_OPT)})."
    )


FINDINGS: dict[str, Callable[[], str]] = {
    "two-opt-cities": _describe_cities,
    "two-opt-climbers": _describe_climbers,
    "two-opt-threads": _describe_threads,
    "energy": _describe_energy,
    "roofline": _describe_roofline,
}
