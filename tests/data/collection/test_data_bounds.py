"""Proven bounds: stored by an instance's hash, and loaded only if the file is complete."""

import json

from data.collection.bounds import MAX_ROWS, KnownBound, load_bound, save_bound, thin
from tests.tables import each_row

HASH = "ab" * 32
BOUND = KnownBound(((0.5, 3, -7), (1.25, 8, 12)), 2.5, 40, ended=True)


def test_stored_bound_is_unchanged(tmp_path):
    save_bound(tmp_path / "bounds", HASH, BOUND)
    assert load_bound(tmp_path / "bounds", HASH) == BOUND
    assert BOUND.length == 12
    assert load_bound(tmp_path / "bounds", "cd" * 32) is None
    assert load_bound(tmp_path / "nowhere", HASH) is None


def test_long_record_keeps_its_first_and_last_row(tmp_path):
    rows = tuple((float(k), k, k) for k in range(5 * MAX_ROWS))
    fewer = thin(rows)
    assert len(fewer) <= MAX_ROWS
    assert (fewer[0], fewer[-1]) == (rows[0], rows[-1])
    save_bound(tmp_path, HASH, KnownBound(fewer, 1.0, len(rows), ended=False))
    assert load_bound(tmp_path, HASH).length == rows[-1][2]


@each_row(
    "change",
    [
        {"format": 2},
        {"sha256": "cd" * 32},
        {"seconds": True},
        {"seconds": float("nan")},
        {"seconds": -1},
        {"trees": 1.5},
        {"trees": True},
        {"ended": 1},
        {"rows": []},
        {"rows": [[True, 3, 5]]},
        {"rows": [[0.5, 3, 5], [1.0, 4, 5]]},
        {"rows": [[0.5, 3, 2**70]]},
        {"rows": [[0.5, 3]]},
        {"rows": 5},
        {"rows": [[float(k), k, k] for k in range(MAX_ROWS + 1)]},
    ],
)
def test_invalid_file_proves_nothing(tmp_path, change):
    save_bound(tmp_path, HASH, BOUND)
    [path] = tmp_path.iterdir()
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    assert load_bound(tmp_path, HASH) is None


@each_row("text", ["", "[]", "{", "[" * 5000, "null", "\0"])
def test_malformed_json_proves_nothing(tmp_path, text):
    save_bound(tmp_path, HASH, BOUND)
    [path] = tmp_path.iterdir()
    path.write_text(text)
    assert load_bound(tmp_path, HASH) is None
