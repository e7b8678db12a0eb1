"""Animations of saved runs and races: a climb, the pheromone over iterations, or all lanes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from components.race.ending import describe_result
from components.race.lanes import series_style
from components.shell.texts import embed as text
from exports.drawing.canvas import Look
from exports.drawing.gif import Animation
from exports.drawing.image_files import animate_climb
from runs.imports.untrusted_files import InvalidUpload, adopt
from runs.races.ending import NoTour
from runs.races.file import make_lane_name, read
from runs.races.gif import animate_race_with_result, read_history
from runs.store.climb import build_climb_frame
from runs.store.reader import RunReader
from runs.store.summary import find_solver, format_animation_title, has_climber, summarise
from runs.web.fields_gif import animate_fields
from solvers.run import prepare, replay
from solvers.spec import RunSpec
from solvers.worker.frames import Frame, decode, decode_instance, encode_event_frame

#: Draws an animation, given the look and the maximum number of pictures.
Draw = Callable[[Look, int], Animation]
#: A sequence number after the last event of every run.
_END = (1 << 62) - 1


def animate_race(path: Path, folder: Path, dark: bool) -> Draw:
    """Animate a race file; every picture shows all lanes at the same second.

    Parameters
    ----------
    path : Path
    folder : Path
        Folder for the lanes' runs, which are read while pictures are drawn.
    dark : bool
        Whether the lanes have the colours of the dark theme.

    Raises
    ------
    InvalidUpload
        If the file is not a race file, is damaged, or has no tour.
    OSError
    """
    runs: list[Path] = []

    def take(upload: Path) -> None:
        runs.append(folder / make_lane_name(len(runs)))
        adopt(upload, "embedded-run", runs[-1])

    (folder / "race").mkdir()
    upload = folder / "race" / "upload"
    upload.write_bytes(path.read_bytes())
    spec, _ = read(upload, take)
    lanes = spec.to_json()["lanes"]
    histories = []
    for run, (name, colour) in zip(runs, series_style(lanes, dark), strict=True):
        with RunReader(run) as reader:
            histories.append(read_history(reader, name, colour))
            instance = decode_instance(decode(reader.instance()))
    if not any(history.order for history in histories):
        raise InvalidUpload(str(NoTour()))
    return lambda look, most: animate_race_with_result(
        instance, histories, look, partial(describe_result, lanes), True, most
    )


def animate_run(run: Path, view: str, number: int | None) -> Draw:
    """Animate a view of a run.

    Parameters
    ----------
    run : Path
        A checked run file; the pheromone is read from it while pictures are drawn.
    view : str
        ``climb``, ``pheromone`` or ``trails``.
    number : int or None
        Number of the climb as on the page; by default that of the best tour.

    Raises
    ------
    InvalidUpload
        If the run lacks this view or climb.
    """
    with RunReader(run) as reader:
        summary, instance = summarise(reader), decode_instance(decode(reader.instance()))
        solver = find_solver(summary["algorithm"])
        unit, first = solver.iteration_unit, solver.counted_from
        if view == "climb":
            climber = _find_best_climber(reader) if number is None else number - first
            climb = _load_climb(reader, climber, number)
            about = format_animation_title(summary, f"{unit} {climber + first}")
            return lambda look, most: animate_climb(instance, climb, about, look, most)
        if not reader.field_iterations(0, _END):
            raise InvalidUpload(text("command.no-pheromone"))

    def draw(look: Look, most: int) -> Animation:
        animation = animate_fields(
            run, instance, view, format_animation_title(summary), look, toggle=True, max_frames=most
        )
        assert animation
        return animation

    return draw


def _find_best_climber(reader: RunReader) -> int:
    best = min(map(decode, reader.read_frames("tour")), key=lambda tour: tour.values["length"], default=None)
    if best is None:
        raise InvalidUpload(text("command.no-climb"))
    return int(best.values["climber"])


def _load_climb(reader: RunReader, climber: int, number: int | None) -> Frame:
    """Read a climb from the file, or recompute it like the page."""
    frame = build_climb_frame(climber, reader.climb(climber, 0))
    if frame is None and has_climber(reader, climber):
        spec, instance = RunSpec.from_json(reader.meta().spec), decode_instance(decode(reader.instance()))
        frame = build_climb_frame(
            climber, (encode_event_frame(event, 0) for event in replay(prepare(spec), instance, climber))
        )
    if frame is None:
        raise InvalidUpload(
            text("command.no-climb") if number is None else text("command.no-such-climb", number=number)
        )
    return decode(frame)
