"""City names on the command line's pictures: shown where there is room, never over a city or another name."""

import re
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import numpy as np

from commands.main import main
from data.collection.resolve import load
from data.places.largest import largest
from data.tsplib.normal_form import assemble
from exports.drawing.canvas import LETTERS, choose_dot_radius
from exports.drawing.city_map import fit
from exports.drawing.image_files import MAX_CITIES, _find_crossings, place_names, tour_png, tour_svg
from tests.tables import each_row

SIDE = 1600


def lay_out_names(instance, order):
    cities = fit(instance, SIDE)
    radius = choose_dot_radius(instance.n, SIDE)
    return cities.places, cities.size, radius, place_names(instance, cities, order, radius)


def box(name):
    return name.x, name.y - 0.6 * LETTERS, name.x + name.width, name.y + 0.6 * LETTERS


def do_not_overlap(one, other):
    slack = 1e-6
    return any(one[k] >= other[k + 2] - slack or other[k] >= one[k + 2] - slack for k in range(2))


@each_row(("region", "n", "least"), [("de", 40, 30), ("europe", 200, 60), ("fr", 3, 3)])
def test_names_cover_neither_cities_nor_names(region, n, least):
    instance = largest(region, n)
    places, (width, height), radius, names = lay_out_names(instance, np.arange(n, dtype=np.int32))
    assert least <= len(names) <= n
    left = iter(instance.names)
    assert all(name.text in left for name in names), "in the order of the cities"
    for one, other in combinations(map(box, names), 2):
        assert do_not_overlap(one, other)
    for name in names:
        left, top, right, bottom = box(name)
        assert left >= 0 <= top
        assert right <= width
        assert bottom <= height
        for x, y in places.tolist():
            assert do_not_overlap((left, top, right, bottom), (x - radius, y - radius, x + radius, y + radius))


def test_line_crosses_a_box_if_a_point_is_inside():
    random = np.random.default_rng(1)
    edges = random.random((300, 4))
    edges[:50, 2] = edges[:50, 0]  # upright
    edges[50:100, 3] = edges[50:100, 1]
    corners = np.sort(random.random((20, 2, 2)), axis=1)
    boxes = np.hstack([corners[:, 0], corners[:, 1]])
    steps = np.linspace(0, 1, 2001)[:, None, None]
    points = edges[:, :2] + steps * (edges[:, 2:] - edges[:, :2])
    for own, found in zip(boxes, _find_crossings(boxes, edges), strict=True):
        inside = ((points >= own[:2]) & (points <= own[2:])).all(axis=2).any(axis=0)
        assert not (inside & ~found).any()
        assert (found & ~inside).sum() <= 2, "of those that only touch a corner"


def test_names_avoid_the_tour_if_possible():
    # from the first city an edge leaves to where its name would stand first
    corners = np.array([(0.0, 0.0), (400.0, 400.0), (400.0, 0.0)])
    instance = assemble("corner", "EUC_2D", "inline", coordinates=corners, names=("Here", "There", "Yonder"))
    order = np.arange(3, dtype=np.int32)
    places, _, _, names = lay_out_names(instance, order)
    edges = np.hstack([places, np.roll(places, -1, axis=0)])
    assert len(names) == 3
    assert not _find_crossings(np.array([box(name) for name in names]), edges).any()


def test_only_named_instances_have_names_in_pictures():
    instance, order = largest("de", 30), np.arange(30, dtype=np.int32)
    nameless = replace(instance, names=())
    assert tour_png(instance, order) != tour_png(nameless, order)
    assert b"<text" not in tour_svg(nameless, order)
    assert b"<text" not in tour_svg(load("berlin52"), np.arange(52, dtype=np.int32))
    many = largest("de", MAX_CITIES + 1)
    assert b"<text" not in tour_svg(many, np.arange(MAX_CITIES + 1, dtype=np.int32))


def test_names_are_svg_text():
    instance = largest("de", 2)
    drawn = tour_svg(replace(instance, names=("<Ort> & 'Ö'", "")), np.arange(2, dtype=np.int32))
    texts = ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")
    assert [each.text for each in texts] == ["<Ort> & 'Ö'"]


def test_the_command_writes_names(tmp_path):
    picture = tmp_path / "tour.svg"
    assert main(["run", "places:fr:3", "greedy", "--svg", str(picture)]) == 0
    assert re.findall(r"<text[^>]*>(\w+)</text>", picture.read_text("utf-8")) == ["Paris", "Marseille", "Lyon"]
