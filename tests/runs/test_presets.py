"""Presets stored by a server: visitors' own presets, and those without an owner, for everybody."""

import pytest

from runs.owners import NotOwner, Owners
from runs.presets import MAX_EACH, NoSuchPreset, Presets
from runs.visitors import HOST, Visitor, act_as
from solvers.core.errors import DeviceUnavailable
from solvers.presets.preset_file import OwnPreset

ANN, BEN = Visitor("ann"), Visitor("ben")


def preset(name: str, algorithm: str = "two-opt", **params) -> OwnPreset:
    return OwnPreset(name, algorithm, params)


@pytest.fixture
def shared_presets(tmp_path):
    return Presets(tmp_path / "presets", Owners(tmp_path / "owners.sqlite", shared=True))


def names(presets, algorithm="two-opt"):
    return [each.preset.name for each in presets.list_visible(algorithm)]


def test_unshared_server_has_one_owner_of_all_presets(tmp_path):
    presets = Presets(tmp_path / "presets", Owners(tmp_path / "owners.sqlite", shared=False))
    assert names(presets) == []
    with act_as(HOST):
        first = presets.save(preset("b", climbers=2))
        presets.save(preset("A", climbers=3))
        presets.save(preset("other", "ant-system"))
        assert names(presets) == ["A", "b"]
        assert presets.save(preset("b", climbers=7)) == first, "the same name is the same preset"
        assert presets.get(first).params == {"climbers": 7}
        presets.delete(first)
        assert names(presets) == ["A"]
        with pytest.raises(NoSuchPreset):
            presets.delete(first)


def test_visitor_sees_and_changes_only_their_own_presets(shared_presets):
    with act_as(ANN):
        anns = shared_presets.save(preset("mine", climbers=2))
    with act_as(BEN):
        assert names(shared_presets) == []
        bens = shared_presets.save(preset("mine", climbers=5))
        assert bens != anns
        assert shared_presets.get(bens).params == {"climbers": 5}
        with pytest.raises(NotOwner):
            shared_presets.delete(anns)
    with act_as(ANN):
        assert names(shared_presets) == ["mine"]
        assert [each.id for each in shared_presets.list_visible("two-opt")] == [anns]
    with act_as(HOST):
        assert len(names(shared_presets)) == 2
        shared_presets.delete(anns)


def test_presets_per_visitor_are_limited(shared_presets):
    with act_as(ANN):
        for number in range(MAX_EACH):
            shared_presets.save(preset(f"{number}"))
        with pytest.raises(DeviceUnavailable):
            shared_presets.save(preset("one more"))
        shared_presets.save(preset("7", climbers=9))
    with act_as(BEN):
        shared_presets.save(preset("one more"))


@pytest.mark.parametrize("name", ["", "..", "../owners", "a/b", "x" * 300, "\0"])
def test_invalid_id_is_refused(shared_presets, name):
    with act_as(HOST):
        shared_presets.save(preset("a"))
        with pytest.raises(NoSuchPreset):
            shared_presets.get(name)


def test_damaged_file_is_omitted(shared_presets, tmp_path):
    with act_as(HOST):
        shared_presets.save(preset("a"))
        (tmp_path / "presets" / "bad.tourpreset").write_text("{")
        assert names(shared_presets) == ["a"]
        with pytest.raises(NoSuchPreset):
            shared_presets.get("bad")
