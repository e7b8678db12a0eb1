"""Time and throughput of a study's runs match a manual calculation, including those from older files."""

import json
import sqlite3

import numpy as np
import pytest

from solvers.gpu.energy import EnergyMeter
from studies.errors import InvalidStudy
from studies.file.reader import StudyReader
from studies.spec.spec import StudySpec
from studies.stats.axes import NotComparable
from studies.stats.measured import RunMeasurements
from studies.stats.rates import QUANTITIES, build_lines, compute_values, list_axes
from studies.stats.table import Table
from tests.studies.small_study import finish_study, spec_json
from tests.studies.tables import make_table
from tests.tables import each_row

ENTRIES = StudySpec.from_json(
    spec_json(
        entries=[
            {"label": f"{beta}", "stages": [{"algorithm": "ant-system", "params": {"beta": beta}}]} for beta in (1, 2)
        ]
    )
).entries


def measured_table(rows, **changes):
    """Two entries on two instances; evaluations are 100 times and iterations 10 times the seconds."""
    plain = [(instance, entry, 1, seconds, [(0.5, 1000)]) for instance, entry, seconds in rows]
    table = make_table(plain, optimum=(1000, 1000), **changes)
    instance = table.runs.instance
    found = RunMeasurements(
        np.array([50, 200])[instance], np.full(instance.size, 1), np.full(instance.size, 16.0),
        np.full(instance.size, 8000.0), np.full(instance.size, 40.0),
    )  # fmt: skip
    return Table(table.instances, table.entries, table.runs, table.logs, None, found)


ROWS = [(0, 0, 1.0), (0, 1, 2.0), (1, 0, 4.0), (1, 1, 8.0)]


@each_row(
    ("quantity", "expected"),
    [
        ("rate", [100, 100, 100, 100]),
        ("iteration", [100, 100, 100, 100]),
        ("seconds", [1, 2, 4, 8]),
        ("bandwidth", [1600] * 4),
        ("share", [20] * 4),
        ("speed-up", [1] * 4),
    ],
)
def test_quantity_matches_a_manual_calculation(quantity, expected):
    assert compute_values(measured_table(ROWS), quantity).tolist() == pytest.approx(expected)


def test_speed_up_is_against_an_entrys_median_on_the_same_instance():
    table = measured_table(ROWS)
    table.runs.evaluations[:] = [100, 400, 100, 1600]  # a second: 100, 200, 25, 200
    assert compute_values(table, "speed-up", 0).tolist() == pytest.approx([1, 2, 1, 8])
    assert compute_values(table, "speed-up", 1).tolist() == pytest.approx([0.5, 1, 0.125, 1])


def test_energy_is_per_tour():
    climbers = measured_table(ROWS, units=["move", "move"])
    object.__setattr__(climbers.entries, "iteration_units", ("climber", "iteration"))
    object.__setattr__(climbers.entries, "evaluation_units", ("move", "tour"))
    assert compute_values(climbers, "joules").tolist() == pytest.approx([40 / 10, 40 / 200, 40 / 40, 40 / 800])


def test_entries_with_different_units_have_no_common_rate():
    table = measured_table(ROWS, units=["move", "tour"])
    for quantity in ("rate", "iteration", "speed-up"):
        with pytest.raises(NotComparable):
            compute_values(table, quantity)
    assert compute_values(table, "seconds").size == 4
    with pytest.raises(ValueError, match="no quantity"):
        compute_values(table, "beauty")


def test_line_is_an_entry_over_cities_or_entries_over_a_parameter():
    table = measured_table(ROWS)
    assert list_axes(table, ENTRIES) == ["cities", "beta"]
    first, second = build_lines(table, ENTRIES, "cities", table.runs.seconds)
    assert (first.entries, first.x.tolist(), first.median.tolist()) == ((0, 0), [50, 200], [1, 4])
    assert second.median.tolist() == [2, 8]
    (swept,) = build_lines(table, ENTRIES, "beta", table.runs.seconds)
    assert (swept.entries, swept.x.tolist()) == ((0, 1), [1, 2])
    assert swept.median.tolist() == pytest.approx([2.5, 5])
    assert swept.lower[0] < swept.median[0] < swept.upper[0]


def test_threads_are_an_axis_if_runs_differ():
    table = measured_table(ROWS)
    table.measured.threads[:] = [1, 1, 2, 2]
    assert list_axes(table, ENTRIES)[1] == "threads"
    first, _ = build_lines(table, ENTRIES, "threads", table.runs.seconds)
    assert first.x.tolist() == [1, 2]


def test_runs_without_a_value_are_omitted():
    table = measured_table(ROWS)
    table.measured.joules[:] = np.nan
    assert build_lines(table, ENTRIES, "cities", compute_values(table, "joules")) == []


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A study of 2-opt and other algorithms, run by this release."""
    path = tmp_path_factory.mktemp("rates") / "s.tourstudy"
    finish_study(path, StudySpec.from_json(spec_json(instances=[{"name": "burma14"}], seeds={"count": 1})))
    return path


def test_file_contains_its_runs_measurements(file):
    with StudyReader(file) as reader:
        table = reader.table()
        answer = {result["algorithm"]: result["measured"] for _, result in reader.results()}
    assert answer["ant-system"]["variant"]
    assert answer["ant-system"]["joules"] is None
    assert answer["ant-system"]["memory"] is None
    assert table.measured.cities.tolist() == [14] * 5
    assert table.measured.no_energy == (EnergyMeter("cpu").reason,)
    assert np.isnan(table.measured.move_bytes).all()  # on cores, no variant counts them
    assert not build_lines(table, StudySpec.from_json(spec_json()).entries, "cities", compute_values(table, "share"))


def test_file_without_measurements_is_readable_and_a_forged_one_refused(file, tmp_path):
    for change, refused in (
        (None, False), ({"joules": 3.5, "memory": 1e12, "variant": "strip", "no_energy": ""}, False),
        ({"joules": -1}, True), ({"memory": "much"}, True), ({"variant": "a\nb"}, True), ([], True),
    ):  # fmt: skip
        path = tmp_path / f"{change is None}{len(str(change))}.tourstudy"
        path.write_bytes(file.read_bytes())
        with sqlite3.connect(path) as connection:
            for number, text in connection.execute("SELECT number, result FROM cells").fetchall():
                result = json.loads(text)
                result.pop("measured")
                result |= {} if change is None else {"measured": change}
                connection.execute("UPDATE cells SET result = ? WHERE number = ?", (json.dumps(result), number))
        connection.close()
        with StudyReader(path) as reader:
            if refused:
                with pytest.raises(InvalidStudy):
                    reader.table()
                continue
            table = reader.table()
        assert np.isnan(table.measured.joules).all() == (change is None)
        for quantity in QUANTITIES:
            try:
                compute_values(table, quantity)
            except NotComparable:
                continue
