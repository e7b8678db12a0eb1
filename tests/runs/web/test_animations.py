"""Animations of runs: their contents, size and theme, and which part is drawn."""

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from data.collection.resolve import load
from data.number_text import measure
from exports.drawing.canvas import DARK, LIGHT, Look, load_typeface
from exports.drawing.captions import describe_gap
from exports.drawing.image_files import animate_climb
from runs.computing.answer import animation_answer
from runs.races.gif import LaneHistory, animate_race
from runs.store.run_file import Entry, RunWriter
from runs.web.fields_gif import _Sheet, animate_fields
from solvers.core.events import Field
from solvers.worker.frames import Frame, encode_event_frame, encode_instance_frame
from tests.tables import each_row

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def instance():
    return load("burma14")


def construction(instance) -> Frame:
    order = np.arange(instance.n, dtype=np.int32)
    edges = np.stack([order, np.roll(order, -1)], axis=1)
    return Frame("climb", {"walk": "edges", "climber": 0, "length": 0}, {"edges": edges, "delta": np.ones(instance.n)})


def read_frames(raw: bytes) -> list[np.ndarray]:
    with Image.open(io.BytesIO(raw)) as picture:
        visible = []
        for number in range(picture.n_frames):
            picture.seek(number)
            visible.append(np.asarray(picture.convert("RGB")))
        return visible


@each_row(("asked", "width"), [("1280", 1280), ("", 960), ("9", 320), ("99999", 1600), ("wide", 960)])
def test_width_is_clamped(asked, width):
    assert Look.parse(asked).width == width


@pytest.mark.parametrize("theme", [pytest.param(LIGHT, marks=pytest.mark.long), DARK], ids=lambda theme: theme.name)
def test_climb_has_the_requested_size_and_theme(instance, theme):
    animation = animate_climb(instance, construction(instance), "burma14", Look.parse("640", theme.name))
    visible = read_frames(animation.file())
    assert len(visible) == animation.count == instance.n + 1
    assert {each.shape[1] for each in visible} == {640}
    assert tuple(visible[0][0, 0]) == tuple(int(theme.paper[k : k + 2], 16) for k in (1, 3, 5))
    assert len(np.unique(visible[-1].reshape(-1, 3), axis=0)) > 10  # smooth lines have shades


def test_words_use_the_pages_typeface():
    assert load_typeface(20).getname()[0] == "Inter"


@each_row(
    ("length", "proven", "expected"),
    [
        (3323, True, "optimal"),
        (3323, False, "best known"),
        (3656, True, "10.0\u202f% above optimal"),
        (3324, True, "0.03\u202f% above optimal"),
    ],
)
def test_an_optimal_length_is_called_optimal(instance, length, proven, expected):
    assert describe_gap(length, replace(instance, proven=proven)) == expected


def test_progress_precedes_the_file(instance):
    animation = animate_climb(instance, construction(instance), "burma14", Look(320))
    steps = list(animation.steps())
    assert steps[:-2] == [b"15\n", *[b"."] * 15]
    assert steps[-1].startswith(b"GIF89a")
    again = animate_climb(instance, construction(instance), "burma14", Look(320))
    assert animation_answer(again, {}, "").content == steps[-1]


def test_last_race_picture_is_its_end(instance, monkeypatch):
    order = np.arange(instance.n, dtype=np.int32)
    lane = LaneHistory("A lane", "#0072b2", 5.07, np.array([0.5, 4.82]), np.array([4000, 3323]), [order, order[::-1]])
    sentence = []
    monkeypatch.setattr("exports.drawing.canvas.Canvas.write", lambda _self, _draw, lines: sentence.append(lines[1]))
    animation = animate_race(instance, [lane], Look(320))
    assert len(list(animation.pictures)) == animation.count == len(sentence)
    assert sentence[-1] == "3\u202f323 \u00b7 optimal \u00b7 ended at 5.070 s"
    assert sum("ended" in each for each in sentence) == 1


def test_result_appears_only_below_the_last_picture_of_a_race(instance):
    order = np.arange(instance.n, dtype=np.int32)
    lane = LaneHistory("A lane", "#0072b2", 5.0, np.array([0.5, 4.8]), np.array([4000, 3323]), [order, order[::-1]])
    plain = read_frames(animate_race(instance, [lane], Look(640)).file())
    answer = read_frames(animate_race(instance, [lane], Look(640), "It is told how the race ended. " * 9).file())
    high, strips = plain[0].shape[0], [each[plain[0].shape[0] :] for each in answer]
    assert len(plain) == len(answer)
    assert all((one == other[:high]).all() for one, other in zip(plain, answer, strict=True))
    assert len(strips[0]) >= 3 * 10  # of as many lines as the sentence takes
    assert [len(np.unique(strip)) > 2 for strip in strips] == [False] * (len(answer) - 1) + [True]


def test_heatmap_brightness_follows_pheromone_in_both_scales(instance):
    heat = np.zeros((14, 14), np.uint8)
    heat[0, 1] = heat[1, 0] = 255
    arrays = {"heat": heat.ravel(), "edges": np.empty((0, 2)), "trail": np.empty(0)}
    field = Frame("field", {"iteration": 1, "low": 0.1, "high": 10.0}, arrays)
    sheet = _Sheet(instance, Look(960), True, (0.1, 10.0))
    picture = np.asarray(sheet.picture(field, ("burma14", "iteration 1")).convert("L"), int)
    cell = 760 / 14
    strong, weak = (picture[34 + int(cell / 2), 72 + int((k + 0.5) * cell)] for k in (1, 5))
    assert strong < 60 < 200 < weak
    assert _Sheet(instance, Look(960), True, (0.1, 10.0))._to_shares(field)[128] == pytest.approx(0.5, abs=0.01)
    assert _Sheet(instance, Look(960), False, (0.1, 10.0))._to_shares(field)[128] == pytest.approx(0.1, abs=0.01)


def test_colony_animation_has_one_scale_and_starts_at_the_first_differences(instance, tmp_path):
    writer = RunWriter.create(tmp_path / "run.tourscope", "run", 5.0, "{}", encode_instance_frame(instance))
    order, cells = np.arange(instance.n, dtype=np.int32), np.eye(instance.n, dtype=np.uint8)
    for iteration, low, high in ((0, 0.5, 0.5), (1, 0.5, 2.0), (4, 1e-6, 4.0)):
        edges, trail = np.array([[0, 1]], np.int32), np.array([high], np.float32)
        raw = encode_event_frame(Field(iteration, low, high, 255 * cells, order, edges, trail), 2.0)
        writer.append([Entry(2.0, "field", raw, (), iteration)])
    writer.finish()
    animation = animate_fields(tmp_path / "run.tourscope", instance, "pheromone", "burma14", Look(960), True)
    first, last = read_frames(animation.file())
    beside = slice(72 + 760 + 10, None)
    assert (first[:810, beside] == last[:810, beside]).all(), "the scale stays"
    weak = (slice(34 + 5, 34 + 49), slice(72 + 60, 72 + 100))  # a cell with the least of its iteration
    assert first[weak].mean() < last[weak].mean() - 50, "more pheromone is darker in every picture"


@each_row(
    ("trail", "expected"),
    [(0, "0"), (0.0054, "0.0054"), (12.345, "12"), (1.1e-5, "1.1\u00b710^\u22125"), (3e8, "3\u00b710^8")],
)
def test_measure_uses_characters_of_the_typeface(trail, expected):
    assert measure(trail, 2, superscripts=False) == expected
    absent = bytes(load_typeface(30).getmask("\ue123"))
    assert all(bytes(load_typeface(30).getmask(sign)) != absent for sign in expected)
