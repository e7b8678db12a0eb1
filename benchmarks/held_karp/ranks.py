"""A process of a Held-Karp measurement by MPI: ``python -m benchmarks.held_karp.ranks JOB TOLD``.

`benchmarks.held_karp.rounds` starts them. All rounds of all instances are made after a single start, each with new
layers in new memory that its processes are the first to touch; the memory of earlier rounds is kept until the end.
Process 0 writes a line of JSON per round to a file, since launchers print to the processes' output.
"""

import json
import sys
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.held_karp.variants import TooLong, compute_layers, find_variant
from data.instance import Instance
from solvers.algorithms.held_karp.mpi import HeldKarpRankTask
from solvers.algorithms.held_karp.solver import agree_on_memory, make_layer_factory, make_plan
from solvers.mpi.world import RUN_ERRORS, abort_all_on_error, follow, join
from solvers.worker.frames import decode, decode_instance, split

if TYPE_CHECKING:
    from solvers.mpi.mpi_communicator import MpiCommunicator


def main(job: Path, output: Path) -> None:
    """Run the rounds of a job, up to process 0's time limit for each instance, and report their times."""
    about, *frames = map(decode, split(job.read_bytes()))
    name, patience = about.values["variant"], about.values["patience"]
    for instance in map(decode_instance, frames):
        start_time, tired = perf_counter(), False
        for _ in range(about.values["rounds"]):
            ranks = join()  # each round ends its communicator, like a run
            if ranks.lowest_rank(tired) is not None:
                ranks.close()
                break
            results = _run_round(ranks, instance, name, patience)
            if ranks.rank == 0:
                with output.open("a", encoding="utf-8") as file:
                    print(json.dumps({"instance": instance.name} | results), file=file)
                tired = "error" in results or perf_counter() - start_time > patience


def _run_round(ranks: "MpiCommunicator", instance: Instance, name: str, patience: float) -> dict[str, float | str]:
    """Compute all layers once with all processes; returns process 0's report."""
    try:
        variant = find_variant(name)
        plan, distances = make_plan(instance, agree_on_memory(ranks, variant.shares), variant)
        make = partial(make_layer_factory(plan, distances), 1, ranks)
        if ranks.rank:
            follow(partial(HeldKarpRankTask, plan, make), ranks)
            return {}
        seconds, length = compute_layers(make(), plan.layers, patience)
    except (*RUN_ERRORS, TooLong) as error:  # errors of the first kind occur in all processes
        ranks.close()
        return {"error": type(error).__name__, "sentence": str(error)}
    return {"seconds": seconds, "length": length}


if __name__ == "__main__":
    with abort_all_on_error():
        main(Path(sys.argv[1]), Path(sys.argv[2]))
