"""Held-Karp by several variants in turn: entries of milliseconds, whose tours must agree."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from benchmarks.ants.tables import Entry
from benchmarks.held_karp.rounds import Rounds
from benchmarks.held_karp.variants import TimedVariant, TooLong, make_layer_plan, time_layers, time_run
from data.instance import Instance
from solvers.algorithms.held_karp.plan import format_bytes
from solvers.core.devices import cpu_threads
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed

#: Bytes of the smallest memory page of a system.
_PAGE = 4096


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a measurement.

    Attributes
    ----------
    cities : tuple of int
    repeats : int
    patience : float
        Timeout in seconds for layers or a run; a variant that exceeds it is not repeated.
    """

    cities: tuple[int, ...]
    repeats: int = 5
    patience: float = 60.0


def measure_in_turns(
    settings: Settings,
    instance: Instance,
    turns: Sequence[TimedVariant],
    runs: bool,
    touch_memory: bool = False,
    rounds: Rounds | None = None,
) -> list[Entry]:
    """Measure variants in turn, so that a machine that slows down affects all of them.

    The first round, in which the machine warms up, does not count if there is time for another. A multi-process variant
    makes all its rounds in its first turn, with a single start of its processes.

    Parameters
    ----------
    settings : Settings instance : Instance turns : sequence of TimedVariant runs : bool
        Whether to measure complete runs too; not for multi-process variants.
    touch_memory : bool
        Whether to touch as much memory as the layers need before each sample and before processes start. A virtual
        machine gets its memory page by page, and the first access to a page takes longer than the work on it.
    rounds : Rounds, optional
        Rounds of multi-process variants, if one start measures further instances too.
    """
    rounds = rounds or Rounds([instance], settings.patience, settings.repeats + 1)
    entries, start_time = [_create_entry(instance, variant) for variant in turns], perf_counter()
    for turn in range(settings.repeats + 1):
        if turn and perf_counter() - start_time > settings.patience * len(turns):
            break
        for variant, entry in zip(turns, entries, strict=True):
            if "refused" not in entry and not (turn and variant.by_mpi):
                if touch_memory:
                    _touch_memory(rounds.bytes(variant) if variant.by_mpi else int(entry["bytes"]))
                _add_sample(settings, instance, variant, entry, runs, rounds)
    for entry in entries:
        for key in ("milliseconds", "run_milliseconds"):
            entry[key] = entry[key][1:] or entry[key]
    check_agreement(entries)
    return entries


def _touch_memory(count: int) -> None:
    """Allocate and touch slightly more than this many bytes, then free them."""
    np.zeros(count + count // 5, np.uint8)[::_PAGE] = 1


def _create_entry(instance: Instance, variant: TimedVariant) -> Entry:
    """Create an entry before any measurement."""
    plan = make_layer_plan(instance, variant)
    entry: Entry = {"way": variant.row, "instance": instance.name, "n": instance.n, "optimum": instance.optimum}
    entry |= {"item": plan.item, "transitions": plan.all_transitions, "bytes": plan.peak_bytes}
    return entry | {"threads": variant.count, "length": None, "milliseconds": [], "run_milliseconds": []}


def _add_sample(
    settings: Settings, instance: Instance, variant: TimedVariant, entry: Entry, runs: bool, rounds: Rounds
) -> None:
    """Add a sample to an entry, or the reason why there is none."""
    try:
        for seconds, length in _time_layers(settings, instance, variant, entry, rounds):
            check_agreement([entry, entry | {"length": length}])
            entry["length"] = length
            entry["milliseconds"].append(round(1e3 * seconds, 6))
        if runs and not variant.by_mpi:
            seconds, length = time_run(instance, variant, settings.patience)
            check_agreement([entry, entry | {"length": length}])
            entry["run_milliseconds"].append(round(1e3 * seconds, 6))
    except TooLong:
        entry["refused"] = f"over {settings.patience:g} s"
    except InstanceTooLarge:
        entry["refused"] = f"needs {format_bytes(entry['bytes'])}"
    except (DeviceUnavailable, InvalidParams, RunFailed) as refusal:
        entry["refused"] = str(refusal)


def _time_layers(
    settings: Settings, instance: Instance, variant: TimedVariant, entry: Entry, rounds: Rounds
) -> list[tuple[float, int]]:
    """Return the seconds and length of a sample, or of all samples after a single start of processes."""
    if variant.by_mpi:
        entry["threads"] = variant.count or cpu_threads()
        variant = replace(variant, count=entry["threads"])
        return rounds.times(instance, variant)
    seconds, length, entry["threads"] = time_layers(instance, variant, settings.patience)
    return [(seconds, length)]


def check_agreement(entries: Iterable[Entry]) -> None:
    """Exit if the entries for an instance differ in length, or miss the optimum."""
    lengths_by_instance: dict[str, set[int]] = {}
    for entry in entries:
        lengths_by_instance.setdefault(entry["instance"], set()).update({entry["length"], entry["optimum"]} - {None})
    for name, lengths in lengths_by_instance.items():
        if len(lengths) > 1:
            raise SystemExit(f"{name} has shortest tours of different lengths: {sorted(lengths)}.")
