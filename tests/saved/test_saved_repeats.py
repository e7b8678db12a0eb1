"""Runs of every release can be repeated from a spec: the same tours, lengths, climbs, counts and trails, bit by bit."""

import pytest

from tests.saved import house
from tests.saved.answers import differences, story
from tests.saved.releases import OLDEST, RELEASES, read_answers, release_files, unpack
from tests.shortened import shorten
from tests.tables import each_row

pytestmark = pytest.mark.slow

REPEATED = [run for run in release_files("runs") if read_answers(run[0], "runs", f"{run[1]}.json")["repeats"]]
#: Of two releases with a run of the same name, whose specs differ only in their form, the oldest.
RUNS = shorten(REPEATED, lambda run: "mpi" not in run[1] and (run[0] == OLDEST or (OLDEST, run[1]) not in REPEATED))


@pytest.mark.parametrize(("release", "name"), RUNS)
def test_run_repeats_bit_by_bit(tmp_path, release, name):
    if why := house.lacks(name):
        pytest.skip(why)
    path = unpack(release, f"runs/{name}.tourscope", tmp_path / "saved.tourscope")
    then, now = story(house.frames_of_file(path)), story(house.frames_of_repeat(path))
    assert now["best lengths"] == then["best lengths"]
    assert now["end"] == then["end"]
    assert not differences(then, now)


@each_row("release", RELEASES)
def test_change_of_one_move_is_noticed(tmp_path, release):
    path = unpack(release, "runs/two-opt-sequential.tourscope", tmp_path / "saved.tourscope")
    frames = list(house.frames_of_file(path))
    answer = story(frames)
    at = next(k for k, raw in enumerate(frames) if b'"moves"' in raw[:400])
    changed = bytearray(frames[at])
    changed[-5] ^= 1  # the last change in length
    assert story([*frames[:at], bytes(changed), *frames[at + 1 :]])["climbs"] != answer["climbs"]


@each_row("release", RELEASES)
def test_last_digit_of_a_trail_may_differ_between_processors_but_not_the_ninth(tmp_path, release):
    path = unpack(release, "runs/ant-system-hybrid.tourscope", tmp_path / "saved.tourscope")
    then = story(house.frames_of_file(path))
    [name, *_] = [name for name in then["floats"] if name.endswith(" high")]
    for factor, entry in ((1 + 1e-15, []), (1 + 1e-8, [name])):
        floats = {**then["floats"], name: [value * factor for value in then["floats"][name]]}
        assert differences(then, {**then, "floats": floats}) == entry
