"""The texts about each result: for every entry, in full sentences, with figures from committed results only."""

import json
import re
import zlib
from importlib import import_module

import pytest

from papers import committed, runs
from papers.catalogue import ALL_PAPERS, list_entries, name_entry
from papers.findings import compose_finding
from papers.shipped import load_shipped
from solvers.run import prepare
from tests.tables import each_row

EACH = pytest.mark.parametrize(("paper", "entry"), list_entries(), ids=[name_entry(*each) for each in list_entries()])
NUMBER = re.compile(r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w-])")
#: Of whose result no figure is said.
NOTHING_SAID = {"utne-hansen/table-1"}
#: Numbers that are said and are no figures: of the paper's text or machine, of arithmetic, or of another entry.
KNOWN = {
    "utne-hansen/figure-7": {"42", "820", "8", "9"},  # cities, moves of a scan, figures
    "utne-hansen/figure-8": {"1,273"},
    "utne-hansen/figure-9": {"820", "1,273"},
    # cities
    # and the share of their program's climbs that end where a move is left, see tests/solvers/algorithms/two_opt
    "utne-hansen/accuracy-berlin52": {"25", "52"},
    "utne-hansen/figure-10": {"25", "52"},
    "utne-hansen/accuracy-kroa100": {"46"},
    "utne-hansen/figure-11": {"46"},
    "utne-hansen/accuracy-kroa200": {"95", "200"},
    "utne-hansen/figure-12": {"95", "200"},
    # 382 / 144; section 7.6.3, and 230.1 / 205.4 and 230.1 / 225.1 of the authors' code
    "utne-hansen/table-2": {"2.65", "1.11", "1.03", "1.12", "1.02"},
    "utne-hansen/table-3": {"52", "1,024", "1,275", "8.5"},  # 51 * 50 / 2 moves; 17 / 2
    # bytes a move; a matrix of n * n distances of 4 bytes
    "utne-hansen/figure-13": {"16", "42", "0.0071"},
    "utne-hansen/figure-14": {"16", "52", "0.011"},
    "utne-hansen/figure-15": {"16", "0.04", "1,555"},  # the data sheet's GB/s
    "utne-hansen/figure-16": {"0.04", "1,555"},
    "utne-hansen/figure-17": {"16", "0.16"},
    "utne-hansen/figure-18": {"16", "439", "0.77"},
    # sizes of another entry, and bytes of a distance
    "utne-hansen/figure-19": {"4", "4,000"},
    "utne-hansen/figure-20": {"4"},
    "utne-hansen/figure-21": {"4"},
    "utne-hansen/figure-22": {"106", "820", "95,703"},
    "utne-hansen/table-4": {"106", "820", "95,703"},  # scans to local optima, counted; 438 * 437 / 2 moves
    "utne-hansen/section-8-4": {"8.3", "0.00"},  # a section; no gap stays none
    "oneil-burtscher/first-solution": {"38"},  # the slide
    "oneil-burtscher/matr-s": {"4", "48", "48,400", "111", "227", "241", "502", "1,011"},  # the last two by hand
    "oneil-burtscher/gpu-cpu": {"16"},  # cores
    "uchida/table-i": {"2.7"},  # 235.35 / 86.43
    # of the growth of the speed-up, n cubed over the GPU's time and the core's time over n cubed; section V.A
    "uchida/table-ii": {"1,002", "3.9", "1.5", "2,392", "4,096"},
    "uchida/table-iii": {"0.6"},  # 0.52 / (0.52 + 86.43)
    "uchida/table-iv": {"7.88", "43.87"},  # 2080.72 / 263.91 and 381949.72 / 8706.32
    "qin-han/figure-1": {"28", "2.4", "107.9"},  # the last two of their records
    "qin-han/figure-2": {"6.3", "5.4"},  # 6.26 and 5.39
    # 2.3 / 0.0057 and so on, a figure, a load
    "qin-han/table-1": {"404", "18,772", "126", "5,505", "105", "3", "11.7"},
    "qin-han/figure-4": {"2", "35", "134"},  # bytes a state; of another benchmark
    "qin-han/figure-7": {"4", "16", "20,000"},
    "qin-han/figure-9": {"10"},  # the figure
    "bitner/table-1": {"1.87", "0.58", "0.90"},  # 102.62 / 54.78
    "bitner/deposits": {"0.16", "0.97"},  # the update in table 2
    "bitner/table-2": {"96"},  # 54.54 / (0.97 + 54.54 + 0.97 + 0.62)
}


def _numbers(words):
    return set(NUMBER.findall(re.sub(r"\([^()]*, 20\d\d-\d\d-\d\d\)", "", words)))


def _change_figures(value, salt, key=""):
    """Results with other figures but the same keys; measured values are floats, in lists, or lengths."""
    if isinstance(value, dict):
        return {
            name: each if name in ("machine", "notes") else _change_figures(each, salt, name)
            for name, each in value.items()
        }
    many = isinstance(value, list) and value and all(isinstance(each, int | float) for each in value)
    if isinstance(value, list) and not many:
        return [_change_figures(each, salt, key) for each in value]
    by = 1.21 + zlib.crc32(f"{salt}{key}{value}".encode()) % 7000 / 1000
    if many:
        return [each * by for each in value]
    measured = isinstance(value, float) or (isinstance(value, int) and key in ("best", "median"))
    return value * by if measured else value


@pytest.fixture(scope="module")
def changed_texts(tmp_path_factory):
    """The texts for results whose figures are all changed, twice; clears the caches before and after."""
    folders = {"RESULTS": committed.RESULTS, "MEASURED": committed.MEASURED}
    stored, found = (committed.load, committed.load_result), []
    for salt in ("a", "b"):
        with pytest.MonkeyPatch.context() as patch:
            for name, folder in folders.items():
                other = tmp_path_factory.mktemp(name)
                for path in folder.glob("*.json"):
                    (other / path.name).write_text(json.dumps(_change_figures(json.loads(path.read_text()), salt)))
                patch.setattr(committed, name, other)
            for each in stored:
                each.cache_clear()
            found.append({name_entry(*each): compose_finding(each[0].id, each[1].id) for each in list_entries()})
    for each in stored:
        each.cache_clear()
    return found


@EACH
def test_every_entry_has_a_finding_in_sentences(paper, entry):
    words = compose_finding(paper.id, entry.id)
    assert words[0].isupper() or words[0].isdigit()
    assert words.endswith(".")
    assert "  " not in words
    assert "{" not in words
    assert "nan" not in words.split()


def test_no_figures_are_computed_that_no_text_names():
    for paper in ALL_PAPERS:
        module = import_module(f"papers.findings.{paper.id.replace('-', '_')}")
        for entry, compute in module.VALUES.items():
            assert all(f"{{{name}" in paper.entry(entry).finding for name in compute())


@EACH
def test_finding_names_the_hardware_of_its_result(paper, entry):
    name = name_entry(paper, entry)
    if name not in NOTHING_SAID:
        assert f"{committed.cite_entry(name)})" in compose_finding(paper.id, entry.id)


@EACH
def test_every_number_comes_from_results_or_the_paper(paper, entry, changed_texts):
    """Words that stay the same when all results change must be in the entry or in a list of names."""
    name, found = name_entry(paper, entry), [*load_shipped(name_entry(paper, entry)).values()]
    answer = [entry.place, entry.title, entry.headline, entry.recipe.summary, paper.claim, paper.machine]
    for table in (entry.published, *(result.measured for result in found)):
        answer += [*table.rows, *table.columns] if table else []
    figures = [figure for row in entry.figures().values() for figure in row.values()]
    known = (
        _numbers(" ".join(answer)) | {f"{figure:,}" for figure in figures} | {f"{figure:,.0f}" for figure in figures}
    )
    stays = (
        _numbers(compose_finding(paper.id, entry.id))
        & _numbers(changed_texts[0][name])
        & _numbers(changed_texts[1][name])
    )
    assert stays - known == KNOWN.get(name, set())


def test_finding_follows_the_results(changed_texts):
    same = {
        name_entry(*each)
        for each in list_entries()
        if compose_finding(each[0].id, each[1].id) == changed_texts[0][name_entry(*each)]
    }
    assert same == {"utne-hansen/table-1"}


def test_the_climbs_of_figure_7_are_counted_in_scans():
    """A scan is 820 moves, and 17 climbs take 625 of them: some 37 each, as theirs."""
    assert 41 * 40 // 2 == 820
    assert "820 moves" in compose_finding("utne-hansen", "figure-7")
    scans = [int(row) for row in committed.load_result("utne-hansen/figure-7").measured.rows]
    assert len(scans) == 17
    assert 500 < scans[-1] < 750


def test_undecided_trials_are_omitted_and_no_trials_count_for_every_number():
    assert [*committed.load_result("uchida/figure-8").measured.rows][-1] == "64"
    assert "8.3 % are left" in compose_finding("uchida", "figure-8")
    assert "the switch: 1, 32." in compose_finding("uchida", "figure-9")


def test_ants_are_worse_than_2_opt_only_by_the_minimum_weight():
    rows = committed.load_result("utne-hansen/figure-8").measured.rows.values()
    floored, free = (min(cells[column][0] for cells in rows) for column in (1, 2))
    assert floored > 2 * 1273
    assert 1273 <= free < 1300
    assert "walk at random" in compose_finding("utne-hansen", "figure-8")


@each_row("entry", [entry for _, entry in list_entries() if entry.run])
def test_run_is_on_one_core_and_can_be_linked(entry):
    spec = runs.make_spec(entry.run)
    assert type(spec).from_query(spec.to_query()) == spec
    assert prepare(spec).stages[0][1].variant == "sequential"


def test_the_three_sequential_algorithms_are_runs():
    assert [entry.run for _, entry in list_entries() if entry.run] == ["two-opt", "ant-system", "simulated-annealing"]
