"""The optimum that a run has proven, kept for all other runs on its instance."""

import logging
from pathlib import Path

from data.collection.proofs import keep_proof
from data.distances import tour_length
from data.errors import InvalidInstance
from runs.store.reader import RunReader
from runs.store.summary import best_tour, has_proof
from solvers.worker.frames import decode, instance_of

_log = logging.getLogger(__name__)


def keep_proof_of(reader: RunReader, folder: Path) -> int | None:
    """Keep the optimum that a run has proven, if its instance has none that is.

    A run that came as a file proves nothing here: only runs that this server has computed may be given.

    Parameters
    ----------
    reader : RunReader
        Of a run that is over.
    folder : Path
        Of the proofs.

    Returns
    -------
    int or None
        The instance's number of cities; None if nothing was kept.
    """
    meta, best = reader.meta(), best_tour(reader) if has_proof(reader) else None
    if best is None or meta.adopted:
        return None
    instance, order = instance_of(decode(reader.instance())), best.arrays["order"]
    try:
        if instance.proven or tour_length(instance, order) != best.values["length"]:
            return None
        keep_proof(folder, instance, order, meta.id)
    except InvalidInstance:
        return None
    except OSError:
        _log.exception("What run %s has proven could not be written.", meta.id)
        return None
    return instance.n
