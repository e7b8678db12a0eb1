"""PDF and TikZ of tours: complete files, with each city and edge in its place."""

import re

import numpy as np
import pytest

from data.collection.resolve import load
from exports.drawing.paper_files import tour_pdf, tour_tikz
from tests.tables import each_row

ORDER = np.random.default_rng(3).permutation(52).astype(np.int32)


@pytest.fixture(scope="module")
def berlin():
    return load("berlin52")


def similar(points: np.ndarray, instance) -> bool:
    """Whether points are the cities of `ORDER`, moved and scaled equally in x and y, oriented as on a map."""
    cities = instance.display[ORDER].astype(float)
    scale = np.ptp(points, axis=0) / np.ptp(cities, axis=0)
    moved = (cities - cities.min(axis=0)) * scale[0] + points.min(axis=0)
    return bool(np.isclose(*scale, rtol=1e-3) and np.abs(moved - points).max() < 0.02)


def test_pdf_is_complete_with_the_closed_tour(berlin):
    file = tour_pdf(berlin, ORDER, 7542)
    assert file.startswith(b"%PDF-1.4\n")
    table = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", file)[1])
    assert file[table:].startswith(b"xref\n0 6\n")
    places = [int(place) for place in re.findall(rb"(\d{10}) 00000 n \n", file)]
    assert [file[place:].split(b" ", 1)[0] for place in places] == [b"1", b"2", b"3", b"4", b"5"]
    size, drawing = re.search(rb"/Length (\d+) >>\nstream\n(.*)\nendstream", file, re.DOTALL).groups()
    assert int(size) == len(drawing)
    tour = drawing.split(b" s ")[0]
    points = np.array(re.findall(rb"(-?[\d.]+) (-?[\d.]+) [ml]\b", tour), float)
    assert tour.count(b" m ") == 1
    assert points.shape == (52, 2)
    assert similar(points, berlin)
    width, height = map(int, re.search(rb"/MediaBox \[0 0 (\d+) (\d+)\]", file).groups())
    assert max(width, height) == 340
    assert (points > 0).all()
    assert (points < (width, height)).all()
    title = bytes.fromhex(re.search(rb"/Title <([0-9a-f]+)>", file)[1].decode()).decode("utf-16")
    assert title == "berlin52: tour of length 7542"


def test_tikz_is_one_picture_with_the_closed_tour(berlin):
    text = tour_tikz(berlin, ORDER, 7542).decode()
    assert text.startswith("% berlin52: tour of length 7542, 52 cities; ")
    body = text.split("\n", 1)[1]
    assert body.startswith("\\begin{tikzpicture}")
    assert body.endswith("\\end{tikzpicture}\n")
    for left, right in ("{}", "()", "[]"):
        assert body.count(left) == body.count(right)
    tour, dots = re.search(r"\\draw\[[^]]*\] (.*?) -- cycle;(.*)", body, re.DOTALL).groups()
    points = np.array(re.findall(r"\((-?[\d.]+),(-?[\d.]+)\)", tour), float)
    assert points.shape == (52, 2)
    assert similar(points, berlin)
    assert np.ptp(points, axis=0).max() < 120  # millimetres
    assert dots.count("circle[radius=") == 52
    statements = [line for line in body.splitlines() if line.startswith(("\\draw", "\\fill"))]
    assert len(statements) == 53
    assert body.count(";") == 53


@each_row(("make", "mark"), [(tour_pdf, b" l f"), (tour_tikz, b"\\fill[tour]")])
def test_a_directed_tour_has_arrowheads(make, mark):
    instance = load("ftv33")
    order = np.arange(instance.n, dtype=np.int32)
    assert make(instance, order, 1).count(mark) > instance.n // 2
    assert mark not in make(load("burma14"), np.arange(14, dtype=np.int32), 1)
