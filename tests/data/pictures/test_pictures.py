"""A picture becomes cities: dense where it is dark, reproducible by seed; unreadable files are refused."""

import numpy as np
import pytest
from PIL import Image

from data.__main__ import main
from data.errors import InvalidInstance
from data.pictures.cities import SIDE, picture_cities
from data.pictures.darkness import read_darkness
from data.pictures.stippling import stipple
from data.tsplib.instances import read
from tests.data.pictures.made_up import bomb, encode_picture, portrait
from tests.tables import each_row

pytestmark = pytest.mark.slow

PNG = encode_picture(portrait())


def test_cities_follow_the_dark_parts_upright_and_repeat_for_a_seed():
    instance = picture_cities(PNG, "portrait", 400, seed=3)
    assert (instance.n, instance.kind, instance.source) == (400, "EUC_2D", "uploaded")
    x, y = instance.coordinates.T
    assert (instance.coordinates >= 0).all()
    assert y.max() <= SIDE
    assert (y < 0.25 * SIDE).sum() > 0.3 * 400  # the shoulders are at the foot
    assert (np.abs(x - 0.4 * SIDE) > 0.38 * SIDE).sum() < 0.1 * 400
    again, other = (picture_cities(PNG, "portrait", 400, seed=seed) for seed in (3, 4))
    assert again.sha256 == instance.sha256 != other.sha256


def test_density_of_points_follows_the_weights():
    weights = np.repeat([[1.0, 4.0]], 100, axis=0).repeat(100, axis=1)  # the right half four times as heavy
    points = stipple(weights, 500, 1)
    assert (points[:, 0] > 100).mean() == pytest.approx(0.8, abs=0.03)
    assert ((points >= 0) & (points <= (200, 100))).all()


def test_each_point_ends_near_the_centroid_of_its_cell():
    """The test finds the cells of the diagram by comparing every pixel with every point."""
    weights = np.random.default_rng(1).uniform(0.2, 1.0, (60, 60))
    points = stipple(weights, 40, 2, rounds=200)
    rows, columns = np.mgrid[0:60, 0:60] + 0.5
    apart = (columns[..., None] - points[:, 0]) ** 2 + (rows[..., None] - points[:, 1]) ** 2
    owner = apart.argmin(axis=2)
    for point in range(40):
        own = weights * (owner == point)
        centre = (columns * own).sum() / own.sum(), (rows * own).sum() / own.sum()
        assert points[point] == pytest.approx(centre, abs=0.8)  # of a spacing of 9.5


def test_points_without_pixels_restart_elsewhere():
    weights = np.zeros((20, 20))
    weights[5, 5] = 1.0
    points = stipple(weights, 50, 1)
    assert np.isfinite(points).all()
    assert np.abs(points - 5.5).max() <= 0.5


@each_row("invert", [False, True])
def test_contrast_and_inversion_change_the_shades(invert):
    ramp = Image.fromarray(np.tile(np.linspace(64, 192, 100).astype(np.uint8), (100, 1)))
    plain, strong = (read_darkness(encode_picture(ramp), 10_000, contrast, invert)[50] for contrast in (1.0, 3.0))
    rising = plain if invert else plain[::-1]
    assert rising[0] == pytest.approx(0, abs=0.02)
    assert rising[-1] == pytest.approx(1, abs=0.02)
    assert (np.diff(rising) >= 0).all()
    assert (strong == 0).sum() > 25
    assert (strong == 1).sum() > 25


@each_row("mode", ["RGB", "P", "1", "L", "I;16", "RGBA", "CMYK"])
def test_pictures_of_all_colour_modes_are_read(mode):
    grey = portrait()
    picture = Image.fromarray(np.asarray(grey).astype(np.uint16) * 257) if mode == "I;16" else grey.convert(mode)
    darkness = read_darkness(encode_picture(picture, "JPEG" if mode == "CMYK" else "PNG"), 72_000)
    assert darkness.shape == (300, 240)
    assert darkness[-20:, 100:140].mean() > 0.6
    assert darkness[:20].mean() < 0.2


def test_transparent_pixels_are_white_and_photographs_are_upright():
    clear = portrait().convert("RGBA")
    clear.putalpha(Image.new("L", clear.size, 0))
    assert read_darkness(encode_picture(clear), 72_000).max() == 0
    turned = Image.Exif()
    turned[0x0112] = 6  # a quarter to the right
    assert read_darkness(encode_picture(portrait(), "JPEG", exif=turned), 72_000).shape == (240, 300)


HARMFUL = {
    "not a picture": b"NAME: berlin52",
    "not a picture ": encode_picture(portrait(), "GIF"),
    "damaged": PNG[: len(PNG) // 2],
    "million pixels": bomb(6_400),
    "million pixels ": bomb(30_000),
    "no side is": encode_picture(Image.new("L", (900, 20))),
    "white everywhere": encode_picture(Image.new("L", (50, 50), 255)),
}


@each_row("sentence", HARMFUL)
def test_empty_picture_is_refused_with_a_message(sentence):
    with pytest.raises(InvalidInstance, match=sentence.strip()):
        picture_cities(HARMFUL[sentence], "x", 200)


@each_row("wishes", [(99,), (20_001,), (200, 0.4), (200, 3.1), (200, 1.0, False, -1)])
def test_invalid_options_are_refused(wishes):
    with pytest.raises(InvalidInstance) as refusal:
        picture_cities(PNG, "x", *wishes)
    assert refusal.value.code == "RANGE"


def test_the_command_line_writes_an_instance(tmp_path, capsys):
    (tmp_path / "me.png").write_bytes(PNG)
    out = tmp_path / "me.tsp"
    assert main(["picture", str(tmp_path / "me.png"), "--cities", "150", "--invert", "--out", str(out)]) == 0
    assert "150 cities" in capsys.readouterr().out
    assert read(out.read_bytes(), "folder").sha256 == picture_cities(PNG, "x", 150, invert=True).sha256
    assert main(["picture", str(tmp_path / "none.png"), "--out", str(out)]) == 2
