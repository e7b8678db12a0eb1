"""Saved runs and races as videos and GIFs, made by the command line."""

import sys

import numpy as np
import pytest
from PIL import Image

from components.embed import __main__ as program
from tests.saved.releases import FILES, RELEASES, unpack
from tests.shortened import shorten

pytestmark = pytest.mark.slow
av = pytest.importorskip("av")


@pytest.fixture
def export(monkeypatch, capsys, tmp_path):
    """Exports a file of the first release; returns the exit status, the output, and the path of the new file."""

    def do(source: str, name: str, *options: str):
        if source.endswith(".tourrace"):
            run = FILES / RELEASES[0] / source
        else:
            run = unpack(RELEASES[0], f"runs/{source}.tourscope", tmp_path / "saved.tourscope")
        path = tmp_path / name
        monkeypatch.setattr(sys, "argv", ["export", str(run), str(path), *options])
        status = program.main()
        return status, capsys.readouterr().err.strip(), path

    return do


def read_pictures(path) -> list[np.ndarray]:
    with av.open(str(path)) as video:
        return [frame.to_ndarray(format="rgb24").astype(int) for frame in video.decode(video=0)]


@pytest.mark.parametrize(
    ("source", "name", "view"),
    shorten(
        [
            ("two-opt-cpu", "climb.mp4", "climb"),
            ("max-min-none", "heat.webm", "pheromone"),
            ("max-min-none", "trails.mp4", "trails"),
            ("race.tourrace", "race.mp4", "climb"),
        ],
        lambda case: case[2] == "trails",
    ),
)
def test_saved_run_or_race_becomes_a_video(export, source, name, view):
    status, sentence, path = export(source, name, "--view", view, "--seconds", "1", "--width", "320", "--theme", "dark")
    assert (status, sentence) == (0, "")
    pictures = read_pictures(path)
    assert len(pictures) == (0.5 + 1 + 2) * 30
    assert pictures[0].shape[1] == 320
    assert pictures[0][-2, 2].sum() < 150, "dark"
    assert (np.abs(pictures[0] - pictures[-1]).max(axis=2) > 40).mean() > 0.005
    assert (np.abs(pictures[-1] - pictures[-50]).max(axis=2) > 60).mean() < 1e-4, "it stands at the end"


def test_gif_has_the_requested_duration_and_pauses_at_its_end(export):
    status, _, path = export("two-opt-cpu", "climb.gif", "--seconds", "2", "--climb", "2", "--width", "320")
    assert status == 0
    with Image.open(path) as film:
        assert film.width == 320
        lasts = []
        for picture in range(film.n_frames):
            film.seek(picture)
            lasts.append(film.info["duration"])
    assert sum(lasts[:-1]) == pytest.approx(2000, rel=0.1)
    assert lasts[-1] >= 2000


@pytest.mark.parametrize(
    ("source", "name", "options", "sentence"),
    [
        ("two-opt-cpu", "a.mp4", ("--view", "trails"), "This run has no pictures of its pheromone."),
        ("two-opt-cpu", "a.mp4", ("--climb", "99"), "This run has no climb 99."),
        ("two-opt-cpu", "a.gif", ("--width", "9"), "width is '9', but must be a number from 320 to 1920."),
        ("failed", "a.gif", (), "This run has no climb that led to its best tour: "),
        ("two-opt-cpu", "a.avi", (), "a.avi', but must be a file that ends in .mp4, .webm, .gif, .html or .htm."),
    ],
)
def test_impossible_export_is_refused_with_a_message(export, source, name, options, sentence):
    status, phrase, path = export(source, name, *options)
    assert status == 2
    assert sentence in phrase
    assert len(phrase.splitlines()) == 1
    assert not path.exists()
