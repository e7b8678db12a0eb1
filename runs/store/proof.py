"""Stores an optimum proven by a run, for all other runs on the instance."""

import logging
from pathlib import Path

from data.collection.proofs import save_proof
from data.distances import tour_length
from data.errors import InvalidInstance
from runs.store.reader import RunReader
from runs.store.summary import find_best_tour, has_proof
from solvers.worker.frames import decode, decode_instance

_log = logging.getLogger(__name__)


def save_run_proof(reader: RunReader, folder: Path, bound: int | None = None) -> int | None:
    """Store the optimum that a run has proven, unless the instance's optimum is already known.

    The claims of an imported run prove nothing. But a tour as short as the bound computed here is optimal, whatever its
    origin.

    Parameters
    ----------
    reader : RunReader
    folder : Path
        Folder of the proofs.
    bound : int, optional
        A lower bound on the length of the instance's tours.

    Returns
    -------
    int or None
        The instance's number of cities; None if nothing was stored.
    """
    meta = reader.meta()
    claims = not meta.adopted and has_proof(reader)
    if not claims and bound is None:
        return None
    best = find_best_tour(reader)
    if best is None or not (claims or best.values["length"] == bound):
        return None
    instance, order = decode_instance(decode(reader.instance())), best.arrays["order"]
    try:
        if instance.proven or tour_length(instance, order) != best.values["length"]:
            return None
        save_proof(folder, instance, order, meta.id)
    except InvalidInstance:
        return None
    except OSError:
        _log.exception("What run %s has proven could not be written.", meta.id)
        return None
    return instance.n
