"""Runs in a notebook: `view` plays one, `race` plays several side by side.

The widget consists of the program's own page, whose scripts a process of the program bundles when it packs the run.
This process only imports anywidget, and only when a run is shown.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from tourscope import solving
from tourscope.algorithm import Algorithm
from tourscope.errors import RunFailed, TourScopeError
from tourscope.frames import Frame, encode, read
from tourscope.program import environment
from tourscope.solving import Run

_HEIGHTS = {"run": 620, "race": 560}
#: Minimum and maximum number of lanes of a race.
_LANES = (2, 4)
# The bytes arrive as a DataView, at an offset in a larger buffer.
_MODULE = """const show = {player};
function render({{ model, el }}) {{
  const host = document.createElement("div");
  host.style.height = `${{model.get("height")}}px`;
  el.append(host);
  const {{ buffer, byteOffset, byteLength }} = model.get("block");
  const bytes = new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength));
  show(host, JSON.parse(model.get("embedded")), bytes, false);
}}
export default {{ render }};
"""


def view(run: Run | os.PathLike[str] | str, *, height: int | None = None) -> Any:
    """Show a run in a notebook: play, scrub, and explanations of moves; for a colony of ants also its pheromone.

    Parameters
    ----------
    run : Run or path
        A run started by `run`, which is read to its end, or the path of a saved run (``.tourscope``). Pheromone is only
        available in runs started with ``pictures=True``.
    height : int, optional
        Height in pixels.

    Returns
    -------
    anywidget.AnyWidget
        Jupyter, VS Code and Colab display it if it is the value of a cell.

    Raises
    ------
    TourScopeError
        If anywidget is not installed, or the run cannot be read.
    TypeError
        If `run` is something else, such as the result of `solve`, which has no moves.
    """
    _import_widget_class()  # do not wait for a run that cannot be shown
    if isinstance(run, Run):
        return _make_widget("run", _read_frames(run), height)
    if isinstance(run, str | os.PathLike):
        return _make_widget("run", encode("file", {"path": str(Path(run).absolute())}), height)
    raise TypeError(f"view shows what ts.run has started, or the path of a saved run, not a {type(run).__name__}.")


def race(
    instance: Any, algorithms: Sequence[Algorithm | Sequence[Algorithm]], *, seconds: float | None = None,
    iterations: int | None = None, evaluations: int | None = None, target: int | None = None, seed: int = 1,
    device: str = "auto", distances: str | None = None, height: int | None = None,
    scale: float | None = None,
) -> Any:  # fmt: skip
    """Run two to four algorithms on one instance, and show them side by side.

    They run one after another, so that each has the machine to itself.

    Parameters
    ----------
    instance, seconds, iterations, evaluations, target, seed, device, distances, scale
        As for `run`; the limits apply to each algorithm.
    algorithms : sequence of Algorithm, or of sequences of Algorithm
    height : int, optional
        Height in pixels.

    Returns
    -------
    anywidget.AnyWidget

    Raises
    ------
    ValueError
        If there are fewer than two algorithms, or more than four.
    TourScopeError
        If anywidget is not installed, or a run fails.
    """
    _import_widget_class()
    least, most = _LANES
    if not least <= len(algorithms) <= most:
        raise ValueError(f"A race has {least} to {most} algorithms, not {len(algorithms)}.")
    lanes = [
        _read_frames(
            solving.run(
                instance, algorithm, seconds=seconds, iterations=iterations, evaluations=evaluations, target=target,
                seed=seed, device=device, distances=distances, scale=scale,
            )
        )
        for algorithm in algorithms
    ]  # fmt: skip
    return _make_widget("race", b"".join(lanes), height)


def _read_frames(run: Run) -> bytes:
    """Return all frames of a run, which is read to its end."""
    with run:
        for _ in run:
            continue
    if not run._frame_log or not run.result:
        raise RunFailed("The run has found no tour that could be shown.")
    return encode("lane", {"spec": run._spec}) + b"".join(run._frame_log.frames)


def _make_widget(view_kind: str, call: bytes, height: int | None) -> Any:
    packed = _pack(call)
    block = np.asarray(packed.arrays["block"]).tobytes()
    kind = _load_class(packed.values["player"])
    return kind(embedded=json.dumps(packed.values["embedded"]), block=block, height=height or _HEIGHTS[view_kind])


def _pack(call: bytes) -> Frame:
    """Pack the frames of runs in a process of the program."""
    line = [sys.executable, "-m", "components.embed.pack"]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()) as process:
        assert process.stdin
        process.stdin.write(call)
        process.stdin.close()
        answer = read(cast(BinaryIO, process.stdout))
    if answer is None:
        raise RunFailed("The program's process has ended.")
    if answer.kind == "refused":
        raise TourScopeError(answer.values["sentence"])
    return answer


@cache
def _import_widget_class() -> tuple[Any, Any]:
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise TourScopeError("Views in a notebook need anywidget: python -m pip install anywidget.") from None
    return anywidget.AnyWidget, traitlets


@cache
def _load_class(player: str) -> Any:
    """Make the widget class for a player's script."""
    base, traits = _import_widget_class()
    parts = {
        "_esm": _MODULE.format(player=player),
        "embedded": traits.Unicode().tag(sync=True),
        "block": traits.Bytes().tag(sync=True),
        "height": traits.Int().tag(sync=True),
    }
    return type("TourScope", (base,), parts)
