"""The instance list, the folder, stored uploads, references, generators and the command line."""

import gzip
import logging
import math
from dataclasses import replace

import numpy as np
import pytest

from data.__main__ import main
from data.collection import resolve as collection_resolve
from data.collection.optima import known_optima
from data.collection.resolve import instance_list, load, load_upload, resolve
from data.collection.uploads import adopt, make_reference
from data.collection.uploads import write as write_upload
from data.errors import InvalidInstance
from data.generators import SIDE, WIND, clustered, directed, uniform
from data.tsplib.instances import read, read_checked, write
from tests.tables import each_row


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TOURSCOPE_DATA", str(tmp_path))
    return tmp_path


def error_code(call, *arguments):
    with pytest.raises(InvalidInstance) as caught:
        call(*arguments)
    assert len(caught.value.sentence) <= 200
    return caught.value.code


@pytest.mark.slow
def test_list_contains_the_bundled_instances(folder):
    cards = {card.name: card for card in instance_list()}
    assert set(cards) == {name for name, row in known_optima().items() if "origin" in row}
    assert [card.n for card in cards.values()] == sorted(card.n for card in cards.values())
    assert (cards["berlin52"].optimum, cards["berlin52"].proven) == (7542, True)
    for card in cards.values():
        instance = load(card.name)
        assert (instance.name, instance.n, instance.kind) == (card.name, card.n, card.kind)
        assert (instance.optimum, instance.proven, instance.source) == (card.optimum, card.proven, card.source)
        assert (instance.optimal_tour is not None) == card.has_optimal_tour
        assert (instance.comment, bool(instance.display_note)) == (card.comment, card.computed_map)
        assert instance.comment == f"TSPLIB 95, {known_optima()[card.name]['origin']}"
    answer = {name: load(name).warnings for name in cards if load(name).warnings}
    assert answer == {}


def test_bundled_files_are_in_normal_form():
    files = list(collection_resolve.BUNDLED.glob("*.tsp"))
    assert sum(path.stat().st_size for path in collection_resolve.BUNDLED.iterdir()) < 2_500_000
    for path in files:
        assert write(read(path.read_bytes(), "bundled")) == path.read_text("ascii")
        assert read_checked(path.read_bytes()).sha256 == known_optima()[path.stem]["sha256"]


def test_files_of_the_folder_join_the_list(folder, caplog):
    (folder / "mine.tsp").write_text(write(uniform(9, 1)))
    (folder / "packed.tsp.gz").write_bytes(gzip.compress(write(uniform(8, 1)).encode()))
    (folder / "bad.tsp").write_text("no instance")
    (folder / "berlin52.tsp").write_text(write(uniform(52, 1)))
    (folder / "notes.txt").write_text("ignored")
    with caplog.at_level(logging.WARNING):
        cards = [card for card in instance_list() if card.source == "folder"]
        instance_list()
    assert [(card.name, card.n, card.optimum) for card in cards] == [("packed", 8, None), ("mine", 9, None)]
    assert sorted(record.getMessage().split()[0] for record in caplog.records) == ["bad.tsp", "berlin52.tsp"]
    assert load("mine").name == "mine"
    assert load("packed").source == "folder"
    assert load("berlin52").source == "bundled"
    assert error_code(load, "bad") == "NO_HEADER"


def test_default_folder_needs_no_name(tmp_path, monkeypatch):
    monkeypatch.delenv("TOURSCOPE_DATA", raising=False)
    monkeypatch.setenv("TOURSCOPE_HOME", str(tmp_path))
    assert [card for card in instance_list() if card.source == "folder"] == []
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "mine.tsp").write_text(write(uniform(9, 1)))
    assert load("mine").n == 9


def test_changed_file_is_read_again(folder):
    path = folder / "mine.tsp"
    path.write_text(write(uniform(9, 1)))
    assert load("mine").n == 9
    path.write_text(write(uniform(10, 1)))
    assert load("mine").n == 10
    assert [card.n for card in instance_list() if card.source == "folder"] == [10]


def test_optimum_depends_on_numbers_rather_than_the_name(folder):
    (folder / "pr2392.tsp").write_text(write(uniform(2392, 1)))
    (folder / "renamed.tsp").write_bytes((collection_resolve.BUNDLED / "eil51.tsp").read_bytes())
    impostor = load("pr2392")
    assert impostor.optimum is None
    assert "differs from TSPLIB" in impostor.warnings[0]
    assert load("renamed").optimum == 426


@each_row("name", ["berlni52", "../berlin52", "/etc/passwd", "x" * 10_000, "", "a\0b", "\u202e"])
def test_unknown_names(name):
    assert error_code(load, name) == "UNKNOWN"


def test_the_nearest_name_is_suggested():
    with pytest.raises(InvalidInstance, match="berlin52"):
        load("berlni52")


def test_uploads_are_stored_by_hash(tmp_path):
    instance = read_checked(write(uniform(20, 4)).replace("NAME: ", "NAME: ../../").encode())
    folder = tmp_path / "uploads"
    folder.mkdir()
    path = folder / f"{instance.sha256}.tsp"
    assert [adopt(write_upload(instance, tmp_path / "written"), folder) for _ in range(2)] == ["", ""]
    assert list(folder.iterdir()) == [path]
    again = load_upload(folder, instance.sha256)
    assert (again.sha256, again.name, again.source) == (instance.sha256, instance.name, "uploaded")
    assert np.array_equal(again.coordinates, instance.coordinates)
    path.write_text(path.read_text().replace("\n1 ", "\n1 1"))
    assert error_code(load_upload, folder, instance.sha256) == "DAMAGED"
    assert error_code(load_upload, folder, "0" * 64) == "UNKNOWN"
    assert error_code(load_upload, folder, "../" + "0" * 61) == "REFERENCE"


def test_uploads_of_the_same_cities_keep_their_own_names(tmp_path):
    (folder := tmp_path / "uploads").mkdir()
    first = replace(uniform(3, 1), name="first", names=("A", "B", "C"))
    other = replace(first, name="other", names=("X", "Y", "Z"))
    nameless = replace(first, names=())
    each = (first, other, nameless, first, other)
    uploads = [adopt(write_upload(instance, tmp_path / f"written-{k}"), folder) for k, instance in enumerate(each)]
    assert uploads[0] == ""
    assert len({*uploads}) == 3
    assert uploads[3:] == uploads[:2], "the same names are the same upload"
    for instance, upload in zip(each, uploads, strict=True):
        again = resolve(make_reference(first.sha256, upload), folder)
        assert (again.name, again.names, again.upload) == (instance.name, instance.names, upload)


def test_references_of_each_form(tmp_path):
    assert resolve({"name": "eil51"}, None).optimum == 426
    assert resolve({"generate": "uniform", "n": 7, "seed": 1}, None).sha256 == uniform(7, 1).sha256
    assert resolve({"name": "uniform:7:1"}, None).sha256 == uniform(7, 1).sha256
    assert resolve({"generate": "clustered", "n": 7, "seed": 1}, None).sha256 == clustered(7, 1).sha256
    inline = resolve({"cities": [[0, 0], [3, 4.5]]}, None)
    assert (inline.n, inline.kind, inline.source) == (2, "EUC_2D", "inline")
    upload = uniform(7, 2)
    adopt(write_upload(upload, tmp_path / "written"), tmp_path)
    assert resolve({"sha256": upload.sha256}, tmp_path).sha256 == upload.sha256
    assert resolve({"sha256": load("eil51").sha256}, None).name == "eil51"
    assert error_code(resolve, {"sha256": upload.sha256}, None) == "UNKNOWN"


@each_row(
    "reference",
    [
        None,
        [],
        "eil51",
        {},
        {"name": 3},
        {"name": ""},
        {"name": "eil51", "n": 3},
        {"name": "eil51", "sha256": "0" * 64},
        {"generate": "uniform", "n": 5},
        {"generate": "grid", "n": 5, "seed": 1},
        {"generate": ["uniform"], "n": 5, "seed": 1},
        {"generate": "uniform", "n": 5.0, "seed": 1},
        {"generate": "uniform", "n": True, "seed": 1},
        {"generate": "uniform", "n": 5, "seed": "1"},
        {"places": "world"},
        {"places": "world", "n": True},
        {"places": ["world"], "n": 5},
        {"sha256": "0" * 63},
        {"sha256": "0" * 64, "upload": "0" * 15},
        {"sha256": "0" * 64, "upload": 5},
        {"upload": "0" * 16},
        {"sha256": "G" * 64},
        {"sha256": "0" * 64 + "\n"},
        {"cities": []},
        {"cities": [[0, 0]] * 201},
        {"cities": [[0, 0, 0]]},
        {"cities": [[0, True]]},
        {"cities": [[0, float("nan")]]},
        {"cities": [[0, float("inf")]]},
        {"cities": [[0, 10**400]]},
        {"cities": ["ab"]},
        {"cities": {"0": [0, 0]}},
    ],
)
def test_any_other_reference_is_refused(reference, tmp_path):
    assert error_code(resolve, reference, tmp_path) == "REFERENCE"


@each_row(
    ("n", "seed", "code"),
    [(0, 1, "RANGE"), (-3, 1, "RANGE"), (10_000_001, 1, "LIMIT"), (5, -1, "RANGE"), (5, 2**63, "RANGE")],
)
@each_row("word", ["uniform", "clustered", "directed"])
def test_generators_refuse_values_out_of_range(word, n, seed, code):
    assert error_code(resolve, {"generate": word, "n": n, "seed": seed}, None) == code


def test_cities_out_of_range_are_refused():
    assert error_code(resolve, {"cities": [[0, 1e200]]}, None) == "RANGE"


@each_row("generate", [uniform, clustered])
@each_row("n", [1, 2, 150, 3000])
def test_generators_give_integers_and_repeat(generate, n):
    instance = generate(n, 11)
    assert instance.n == n
    assert (instance.coordinates == np.rint(instance.coordinates)).all()
    assert instance.sha256 == generate(n, 11).sha256
    assert instance.sha256 != generate(n, 12).sha256


def test_generated_instances_never_change():
    """A permalink names only n and the seed: these hashes must hold on every machine and release."""
    assert uniform(1000, 1).sha256[:16] == "f986dd12ceb0082a"
    assert clustered(1000, 1).sha256[:16] == "1a0ade8111871fdf"
    assert directed(200, 1).sha256[:16] == "aff89ac016a59e9d"


def test_wind_turns_around_the_centre():
    instance = directed(60, 3)
    assert instance.directed
    assert instance.sha256 == directed(60, 3).sha256 != directed(60, 4).sha256
    places, weights = instance.display, instance.weights
    for i, j in np.argwhere(~np.eye(60, dtype=bool)):
        (x, y), (u, v) = places[i] / SIDE * 2 - 1, places[j] / SIDE * 2 - 1
        mx, my = (x + u) / 2, (y + v) / 2
        wind = WIND * min(math.hypot(mx, my), 1.0)
        far = math.hypot(u - x, v - y)
        # counterclockwise: the wind at the middle of the flight is its place turned by a right angle
        along = wind * ((u - x) * -my + (v - y) * mx) / (far * math.hypot(mx, my))
        expected = far * SIDE / 2 / (along + math.sqrt(1 - wind**2 + along**2))
        assert abs(weights[i, j] - expected) <= 0.51
        assert (weights[i, j] < weights[j, i]) == (along > 0) or abs(weights[i, j] - weights[j, i]) <= 1
    assert error_code(resolve, {"generate": "directed", "n": 5001, "seed": 1}, None) == "LIMIT"


def test_random_classes_have_their_expected_shape():
    flat, cloudy = uniform(5000, 1).coordinates, clustered(5000, 1).coordinates
    assert flat.min() >= 0
    assert flat.max() < SIDE

    def used(points):
        return len(np.unique((points // (SIDE / 50)).astype(int) @ (1000, 1)))

    assert used(cloudy) < used(flat) / 2


def test_the_command_line_lists(folder, capsys):
    (folder / "mine.tsp").write_text(write(uniform(2000, 1)))
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    rows = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert rows["berlin52"].split()[:6] == ["berlin52", "52", "EUC_2D", "7,542", "yes", "bundled"]
    assert rows["mine"].split()[:6] == ["mine", "2,000", "EUC_2D", "unknown", "-", "folder"]
    assert [name for name, line in rows.items() if line.endswith("[map by MDS]")] == [
        *(
            "br17",
            "gr17",
            "gr21",
            "gr24",
            "fri26",
            "ftv33",
            "ftv35",
            "ftv38",
            "swiss42",
            "p43",
            "ftv44",
            "ftv47",
            "gr48",
        ),
        *("hk48", "ry48p", "ft53", "ftv55", "brazil58", "ftv64", "ft70", "ftv70", "kro124p", "ftv170", "rbg323"),
        *("rbg358", "rbg403", "rbg443"),
    ]
    assert [name for name, line in rows.items() if "[directed]" in line] == [
        *(
            "br17",
            "ftv33",
            "ftv35",
            "ftv38",
            "p43",
            "ftv44",
            "ftv47",
            "ry48p",
            "ft53",
            "ftv55",
            "ftv64",
            "ft70",
            "ftv70",
        ),
        *("kro124p", "ftv170", "rbg323", "rbg358", "rbg403", "rbg443"),
    ]
    assert "uniform:N:SEED" in out
    assert "pr2392" in out


def test_the_command_line_shows(folder, capsys):
    assert main(["show", "gr202"]) == 0
    assert "40,160 (proven)" in capsys.readouterr().out
    assert main(["show", "clustered:3000:4"]) == 0
    assert "3,000" in capsys.readouterr().out
    for name, code in (("swiss43", "UNKNOWN"), ("uniform:0:1", "RANGE"), ("uniform:9:9:9", "UNKNOWN")):
        assert main(["show", name]) == 2
        assert capsys.readouterr().err.startswith(f"{code}: ")


def test_the_command_line_checks(folder, capsys):
    path = folder / "x.tsp"
    path.write_text(write(uniform(5000, 1)))
    assert main(["check", str(path)]) == 0
    assert "is a valid EUC_2D instance of 5,000 cities." in capsys.readouterr().out
    path.write_text("NAME: x")
    assert main(["check", str(path)]) == 2
    assert main(["check", str(folder / "missing.tsp")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in lines] == ["MISSING", "UNREADABLE"]
    assert str(folder) not in "".join(lines)


@pytest.mark.slow
def test_more_cities_are_allowed_only_from_generators_and_the_own_folder(folder):
    result = resolve({"generate": "uniform", "n": 200_001, "seed": 3}, None)
    raw = write(result).encode()
    (folder / "own.tsp").write_bytes(raw)
    assert ("own", 200_001) in [(card.name, card.n) for card in instance_list()]
    own = load("own")
    assert (own.source, own.sha256) == ("folder", result.sha256)
    for reader in (read_checked, lambda raw: read(raw, "uploaded")):
        assert error_code(reader, raw) == "LIMIT"
    (folder / "more.tsp").write_bytes(raw.replace(b": 200001\n", b": 1000001\n", 1))
    assert error_code(load, "more") == "LIMIT"
