"""Computes an instance's zones and moats, step by step, as a frame. The computation imports Numba."""

from time import process_time

import numpy as np

from data.instance import Instance
from solvers.worker.frames import encode
from solvers.worker.worker_io import import_numba

#: Seconds of processor time after which the last step is the result; 200 cities take half a second.
SECONDS = 20.0


def moats_frame(instance: Instance, seconds: float = SECONDS) -> bytes:
    """Compute the ``moats`` frame; see `docs/server.md` for its arrays.

    Raises
    ------
    NoPicture
        See `solvers.bounds.moats.find_moats`.
    """
    import_numba()
    from solvers.bounds.moats import PLANE, find_moats

    began, steps, ended = process_time(), [], True
    for step in find_moats(instance):
        steps.append(step)
        if process_time() - began >= seconds:
            ended = False
            break
    inside = np.concatenate([step.inside for step in steps])
    arrays = {
        "bound": np.array([step.bound for step in steps], np.int64),
        "radii": np.array([step.radii for step in steps]),
        "first": np.cumsum([0, *(step.widths.size for step in steps)]).astype(np.int32),
        "widths": np.concatenate([step.widths for step in steps]),
        "start": np.cumsum([0, *inside.sum(axis=1)]).astype(np.int32),
        "cities": np.nonzero(inside)[1].astype(np.int32),
    }
    return encode("moats", {"scale": PLANE[instance.kind], "ended": ended}, arrays)
