"""The bundled roofline and charts of throughput match a manual calculation."""

import pytest

from components.figures.papers import roofline_figure
from components.papers.entry import views_to_json
from components.papers.sources import list_sources
from papers.catalogue import find
from papers.roofline import COSTS, Roofs, build_roofline, locate_points
from papers.shipped import load_shipped
from tests.tables import each_row

ROOFS = Roofs(memory=1000e9, operations=20_000e9, roots=1000e9)


def test_point_and_shares_match_a_manual_calculation():
    """100 billion moves a second with 16 bytes, 4 operations and a root each: 1.6 times the memory, a tenth of the
    roots."""
    measured = build_roofline(ROOFS, {"calculated": (1000, [100e9])}, {})
    row = {column: measured.figure("calculated", column) for column in measured.columns}
    assert row["operations a byte"] == 0.25
    assert row["operations"] == pytest.approx(400)
    assert (row["of memory"], row["of arithmetic"], row["of square roots"]) == pytest.approx((160, 2, 10))
    assert "1.6 times the memory's rate" in measured.notes["calculated"]
    assert "nearest limit is square roots: the variant reaches 10 % of it" in measured.notes["calculated"]
    assert locate_points(measured)["memory"] == pytest.approx((20, 20_000))


def test_bytes_per_move_match_the_variants():
    from benchmarks.two_opt.gpu import list_variants

    for variant in list_variants():
        if variant.row.move_bytes and variant.name in COSTS:
            assert 4 * COSTS[variant.name].words == variant.row.move_bytes, variant.name


def test_shared_memory_is_not_limited_by_memory():
    measured = build_roofline(ROOFS, {"tuned": (1000, [100e9])}, {})
    assert measured.figure("tuned", "of memory") is None


def test_roof_breaks_at_the_ridge_above_all_points():
    measured = build_roofline(ROOFS, {"calculated": (1000, [100e9]), "strip": (1000, [100e9])}, {})
    roof, dots = roofline_figure("x", "y", [("Here", measured)])["data"]
    assert (roof["x"][1], roof["y"][1:]) == (pytest.approx(20), [20_000, 20_000])
    assert roof["y"][0] / roof["x"][0] == pytest.approx(1000)
    assert sorted(dots["text"]) == ["calculated", "strip"]
    assert roofline_figure("x", "y", []) is None


@each_row("name", ["two-opt-cities", "two-opt-climbers", "roofline"])
def test_committed_results_are_shipped(name):
    (result,) = load_shipped(f"speed/{name}").values()
    assert result.machine["device"]["name"] == "NVIDIA H200"
    assert result.measured.figure(*{"two-opt-cities": ("1,000", "strip"), "two-opt-climbers": ("1,000", "strip"),
                                    "roofline": ("strip", "moves a second")}[name]) > 100  # fmt: skip


def test_throughput_is_also_shown_as_bytes_shares_and_speed_ups():
    _, entry = find("speed/two-opt-cities")
    found = load_shipped("speed/two-opt-cities")
    views = {view["label"]: view["figure"] for view in views_to_json(entry, list_sources(entry, found, {}))}
    assert [*views][:3] == ["As measured", "Bytes read per second", "Share of the memory's bandwidth"]
    measured = found["cuda"].measured
    (line,) = (each for each in views["Bytes read per second"]["data"] if "calculated" in each["name"])
    assert dict(zip(line["x"], line["y"], strict=True))[1000] == 16 * measured.figure("1,000", "calculated")
    against = views["Speed-up against tuned"]["data"]
    (line,) = (each for each in against if each["name"].startswith("strip"))
    ratio = measured.figure("1,000", "strip") / measured.figure("1,000", "tuned")
    assert dict(zip(line["x"], line["y"], strict=True))[1000] == pytest.approx(ratio)
    (own,) = (each for each in against if each["name"].startswith("tuned"))
    assert set(own["y"]) == {1.0}


def test_measured_view_matches_the_chart():
    _, entry = find("oneil-burtscher/tuned")
    sources = list_sources(entry, load_shipped("oneil-burtscher/tuned"), {})
    measured, *others = views_to_json(entry, sources)
    assert [line["name"] for line in measured["figure"]["data"]] == [
        "Authors' code",
        "tuned, H200",
        "tuned, rule, H200",
    ]
    assert all("Authors" not in line["name"] for view in others for line in view["figure"]["data"])


def test_other_charts_have_no_views():
    _, entry = find("uchida/table-ii")
    assert views_to_json(entry, list_sources(entry, {}, {})) == []
