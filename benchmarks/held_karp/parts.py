"""The parts of the Held-Karp benchmark: more cities than in the figures of Qin and Han (2022), and known optima.

The paper does not name its instances; ours are random cities in squares of two sides, for states of 2 and of 4 bytes.
"""

from collections.abc import Iterator

from benchmarks.ants.tables import Entry
from benchmarks.held_karp.in_turns import Settings, measure_in_turns
from benchmarks.held_karp.instances import PROVEN, SIDES, generate_square, load_first_cities
from benchmarks.held_karp.tables import SHARED, THEIRS
from benchmarks.held_karp.variants import TimedVariant, list_variants
from data.collection.resolve import load
from solvers.core.devices import cpu_threads

#: Most cities of their variants, cities of figure 1 and figure 3, which also has larger numbers.
_CITIES, _FEW, _SIZES = 20, (10, 15, 20, 25), (10, 15, 20, 25, 27, 28, 29, 30, 31, 32, 33, 34, 35)
Entries = Iterator[Entry]


def measure_cities(settings: Settings, device: str) -> Entries:
    """Measure figure 3: increasing numbers of cities, for each variant until it reaches its limit."""
    for side in SIDES:
        turns = list_variants(device)
        for n in settings.cities or _SIZES:
            entries = measure_in_turns(settings, generate_square(n, side), turns, runs=True)
            turns = [variant for variant, entry in zip(turns, entries, strict=True) if "refused" not in entry]
            yield from entries


def measure_speed_up(settings: Settings, device: str) -> Entries:
    """Measure figure 1: 1, 2, 4, ... threads and processes, up to the number of cores, if there is enough memory."""
    most = cpu_threads()
    counts = sorted({*(2**k for k in range(10) if 2**k < most), most})
    for n in settings.cities or _FEW:
        turns = [
            TimedVariant(row, count) for row in SHARED if n <= _CITIES or not row.startswith(THEIRS) for count in counts
        ]
        yield from measure_in_turns(settings, generate_square(n, SIDES[0]), turns, runs=False, touch_memory=True)


def measure_optima(settings: Settings, device: str) -> Entries:
    """Yield the instances with proven optima, and the largest instance for all devices."""
    for instance in (*map(load, PROVEN), load_first_cities("att48", 31)):
        yield from measure_in_turns(settings, instance, list_variants(device)[:1], runs=True)


PARTS = {"cities": measure_cities, "speed-up": measure_speed_up, "optima": measure_optima}
#: Parts that measure a machine's cores.
OF_CORES = ("speed-up",)
