"""Pictures across the date line: an edge leaves on one side and comes back on the other, in every kind of file."""

import base64
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from components.figures.backbone import backbone_figure
from data.places.largest import degrees_minutes
from data.tsplib.normal_form import assemble
from exports.drawing.canvas import Canvas, Look
from exports.drawing.city_map import fit, fit_sheet
from exports.drawing.date_line import split_at_date_line, split_at_gaps
from exports.drawing.image_files import animate_climb, tour_png, tour_svg
from exports.drawing.paper_files import tour_pdf, tour_tikz
from exports.drawing.plotter import PAPERS, tour_plotter
from runs.web.instances import SIDE, card_frame
from solvers.worker.frames import Frame, decode
from studies.stats.backbone import Backbone
from tests.tables import each_row

#: Latitude and longitude: Anchorage, Honolulu, Sydney, Tokyo.
PLACES = np.array([(61.2, -149.9), (21.3, -157.9), (-33.9, 151.2), (35.7, 139.7)])
#: Its edges Honolulu - Sydney and Tokyo - Anchorage are shorter across the date line.
ORDER = np.arange(4, dtype=np.int32)


@pytest.fixture(scope="module")
def pacific():
    return assemble("pacific", "GEO", "inline", coordinates=degrees_minutes(PLACES))


def test_split_edge_meets_the_border_at_one_latitude_on_both_sides():
    eastwards = split_at_date_line(np.array([(170.0, 0.0), (-170.0, 10.0)]))
    assert np.array_equal(eastwards, [(170, 0), (180, 5), (np.nan, np.nan), (-180, 5), (-170, 10)], equal_nan=True)
    assert np.array_equal(split_at_date_line(eastwards[::-1]), eastwards[::-1], equal_nan=True)
    assert np.array_equal(split_at_date_line(np.array([(-170.0, 10.0), (170.0, 0.0)])), eastwards[::-1], equal_nan=True)
    on_it = split_at_date_line(np.array([(180.0, 4.0), (-180.0, 8.0)]))
    assert np.array_equal(on_it, [(180, 4), (180, 4), (np.nan, np.nan), (-180, 4), (-180, 8)], equal_nan=True)


def test_gaps_and_other_edges_are_unchanged():
    plain = np.array([(-80.0, 0.0), (90.0, 5.0), (np.nan, np.nan), (-179.0, 3.0), (-1.0, 3.0)])
    assert split_at_date_line(plain) is plain
    assert [len(line) for line in split_at_gaps(plain)] == [2, 2]


def test_parts_end_at_the_pictures_border_before_the_date_line():
    parts = split_at_date_line(np.array([(150.0, 0.0), (-110.0, 100.0)]), border=(-115.0, 160.0))
    assert parts[1].tolist() == [160.0, 10.0]
    assert parts[3].tolist() == [-115.0, 95.0]


def test_tour_is_one_closed_line_unless_it_crosses(pacific):
    (once,) = fit(pacific, 100).tour(np.array([0, 1], np.int32))
    assert (once[0] == once[-1]).all()
    cities = fit(pacific, 1000)
    lines = cities.tour(ORDER)
    assert [len(line) for line in lines] == [4, 4]
    (width, _), (west, east) = cities.size, cities.date_line
    rims = max(0.0, west), min(width, east)
    for line in lines:
        for end in (line[0], line[-1]):
            assert min(abs(end[0] - rim) for rim in rims) < 1e-6, "both ends are at the border"
        assert (np.abs(np.diff(line[:, 0])) < (east - west) / 2).all()
    visited = np.concatenate([line[1:-1] for line in lines])
    assert np.allclose(np.sort(visited, axis=0), np.sort(cities.places, axis=0))
    plane = assemble("plane", "EUC_2D", "inline", coordinates=PLACES[:, ::-1].copy())
    assert len(fit(plane, 1000).tour(ORDER)) == 1


def white_in_the_middle(image: Image.Image, foot: int = 0) -> bool:
    """Whether nothing is drawn near the middle meridian, which lies between the two shores."""
    pixels = np.asarray(image.convert("L"))
    height, width = pixels.shape
    middle = pixels[: height - foot, width // 2 - width // 20 : width // 2 + width // 20]
    return bool((middle == 255).all())


def has_ink_at_the_border(image: Image.Image, foot: int = 0) -> bool:
    pixels = np.asarray(image.convert("L"))[: image.height - foot]
    return all((pixels[:, side] < 250).any() for side in (0, -1))


def test_a_png_has_no_line_across_its_middle(pacific):
    image = Image.open(io.BytesIO(tour_png(pacific, ORDER)))
    assert white_in_the_middle(image)
    assert has_ink_at_the_border(image)


@each_row("walk", ["moves", "edges"])
def test_no_gif_or_video_picture_has_a_line_across_its_middle(pacific, walk):
    if walk == "moves":
        arrays = {"tours": ORDER[None], "i": np.array([0]), "j": np.array([2]), "delta": np.array([5])}
    else:
        arrays = {"edges": np.column_stack([ORDER, np.roll(ORDER, -1)]), "delta": np.ones(4, int)}
    climb = Frame("climb", {"walk": walk, "climber": 0, "length": 9}, arrays)
    pictures = [*animate_climb(pacific, climb, "", Look(640)).pictures]
    assert len(pictures) == len(arrays["delta"]) + 1
    assert all(white_in_the_middle(each, foot=60) for each in pictures)
    assert has_ink_at_the_border(pictures[-1], foot=60)


def test_edges_in_any_order_are_split_as_well(pacific):
    canvas = Canvas.for_instance(pacific, 400)
    image, draw = canvas.blank_image()
    canvas.edges(draw, np.array([(1, 2), (3, 0)]), 3.0)
    canvas.edges(draw, [(0, 3)], 3.0, dashed=True)
    canvas.edges(draw, [], 3.0)
    assert white_in_the_middle(canvas.finish(image))


def subpaths(data: str) -> list[np.ndarray]:
    """The lines of an SVG path that consists of M, spaces and commas."""
    assert re.fullmatch(r"[M\d., -]+", data), "nothing is closed across the map"
    return [np.array([pair.split(",") for pair in part.split()], float) for part in data.split("M")[1:]]


def stays_beside(lines: list[np.ndarray], width: float) -> bool:
    """Whether each line stays on one shore, with an end at each crossing."""
    sides = [np.unique(line[:, 0] > width / 2) for line in lines]
    return len(lines) == 2 and all(side.size == 1 for side in sides)


def test_an_svg_and_a_plotter_get_two_lines(pacific):
    root = ET.fromstring(tour_svg(pacific, ORDER))
    width = float(root.get("viewBox").split()[2])
    lines = subpaths(root.find("{http://www.w3.org/2000/svg}path").get("d"))
    assert stays_beside(lines, width)
    assert {line[end, 0] for line in lines for end in (0, -1)} == {0.0, width}
    for paper in PAPERS:
        root = ET.fromstring(tour_plotter(pacific, ORDER, paper))
        width = float(root.get("viewBox").split()[2])
        lines = subpaths(root[0].get("d"))
        assert stays_beside(lines, width)
        assert {line[end, 0] for line in lines for end in (0, -1)} == {5.0, width - 5.0}, "within the sheet"
        assert fit_sheet(pacific, PAPERS[paper], 10.0).places[:, 0].min() >= 9.99


def test_a_pdf_and_tikz_get_two_lines(pacific):
    file = tour_pdf(pacific, ORDER, 1)
    width = float(re.search(rb"/MediaBox \[0 0 (\d+)", file)[1])
    tour = re.search(rb" w (.*?)  ?\S+ \S+ \S+ RG 1 J", file)[1].decode()
    lines = [np.array(re.findall(r"(-?[\d.]+) (-?[\d.]+) [ml]", part), float) for part in tour.split(" S")[:-1]]
    assert stays_beside(lines, width)
    drawn = re.findall(r"\\draw\[[^]]*\] (.*?);", tour_tikz(pacific, ORDER, 1).decode(), re.DOTALL)
    lines = [np.array(re.findall(r"\((-?[\d.]+),(-?[\d.]+)\)", line), float) for line in drawn]
    assert stays_beside(lines, 120.0)
    assert not any("cycle" in line for line in drawn)
    assert {line[end, 0] for line in lines for end in (0, -1)} == {0.0, 119.94}


def test_edge_frequency_map_is_split(pacific):
    edges = np.column_stack([ORDER, np.roll(ORDER, -1)])
    found = Backbone(2, edges, np.full(4, 2), None)
    line = backbone_figure(pacific, found, dark=False)["data"][0]
    x = np.frombuffer(base64.b64decode(line["x"]["bdata"]), line["x"]["dtype"])
    assert np.isnan(x).sum() == 6
    assert np.nanmax(np.abs(x)) == 180
    assert not (np.abs(np.diff(x)) > 180).any()


def test_instance_card_gives_the_cut_of_its_map(pacific):
    frame = decode(card_frame({}, pacific))
    west, east = frame.values["cards"][0]["date_line"]
    degrees = west + (PLACES[:, 1] + 180) / 360 * (east - west)
    assert np.allclose(frame.arrays["positions"][:, 0], degrees, atol=1)
    assert frame.arrays["positions"].max() == SIDE
