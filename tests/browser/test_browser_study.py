"""Climbers against accuracy on the page: its arithmetic against numpy, and what it shows against the saved table."""

import base64
import csv
import io
import re
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from serving import PATIENCE
from watching import DRAWN

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

ASSETS = Path(__file__).resolve().parents[2] / "assets"
FOLD = """([lengths, evaluations, optimum, cut]) => {
  const restarts = new TourScope.Restarts(optimum);
  for (let at = 0; at < lengths.length; at += cut) {
    restarts.take({ length: lengths.slice(at, at + cut), evaluations: evaluations.slice(at, at + cut) });
  }
  const groups = restarts.whole().map(({ size, count, mean, best, worst }) => [size, count, mean, best, worst]);
  return { ...restarts, groups, within: [...restarts.within], bars: restarts.bins.bars(40) };
}"""


@pytest.fixture(scope="module")
def blank(chromium):
    page = chromium.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    page.set_content("<body></body>")
    source = base64.b64encode((ASSETS / "watch" / "restarts.js").read_bytes()).decode()
    page.evaluate(f"async () => {{ window.TourScope = await import('data:text/javascript;base64,{source}'); }}")
    yield page
    page.context.close()


def groups_of(lengths: np.ndarray) -> list[tuple[int, int, float, int, int]]:
    """For 1, 10, 100, ...: how many groups of consecutive climbers, and the mean, least and greatest lowest length."""
    found, size = [], 1
    while size <= lengths.size:
        lowest = [min(lengths[at : at + size]) for at in range(0, lengths.size - size + 1, size)]
        found.append((size, len(lowest), sum(lowest) / len(lowest), min(lowest), max(lowest)))
        size *= 10
    return found


@pytest.mark.parametrize(("spread", "cut"), [(3, 1), (900, 37), (2_000_000, 512)])
def test_restarts_are_folded_as_numpy_counts_them(blank, spread, cut):
    lengths = np.random.default_rng(spread).integers(10_000, 10_000 + spread, 2345)
    lengths[1000] += 7 * spread  # a late one, far away
    got = blank.evaluate(FOLD, [lengths.tolist(), [3] * 2345, 10_000, cut])
    assert (got["count"], got["sum"], got["best"]) == (2345, lengths.sum(), lengths.min())
    assert got["evaluations"] == 3 * 2345
    assert got["within"] == [(100 * lengths <= p * 10_000).sum() for p in (101, 102, 105)]
    assert [tuple(group) for group in got["groups"]] == groups_of(lengths)
    start, width, counts = (got["bars"][name] for name in ("from", "width", "counts"))
    assert 1 <= len(counts) <= 40
    assert width == 1 or len(counts) > 19
    assert counts == np.histogram(lengths, start + width * np.arange(len(counts) + 1))[0].tolist()


def test_ten_million_restarts_stay_small_and_fast(blank):
    halves, cells = blank.evaluate(
        """() => {
          const length = new Float64Array(100000);
          const restarts = new TourScope.Restarts(21282);
          const took = [];
          for (let batch = 0; batch < 100; batch += 1) {
            const began = performance.now();
            for (let k = 0; k < length.length; k += 1) length[k] = 21282 + ((k * 7919 + batch) % 4001);
            restarts.take({ length, evaluations: length });
            took.push(performance.now() - began);
          }
          const median = (some) => [...some].sort((a, b) => a - b)[some.length >> 1];
          const halves = [median(took.slice(0, 50)), median(took.slice(50))];
          return [halves, restarts.bins.counts.length + restarts.groups.length];
        }"""
    )
    assert cells < 1100
    assert halves[1] < 3 * halves[0], "a batch takes as long whatever came before it"


def texts(page, rows: str) -> list[list[str]]:
    script = "id => [...document.querySelectorAll(`#${id} tr`)].map((r) => [...r.cells].map((c) => c.textContent))"
    return page.evaluate(script, rows)


def number(text: str) -> float:
    return float(re.sub(r"[^\d.]", "", text))


def test_the_panel_fills_and_says_what_the_saved_table_says(page, server):
    page.goto(f"{server.url}?v=1&instance=berlin52&algorithm=two-opt&climbers=1300&seed=4&device=auto")
    page.wait_for_function(DRAWN)
    page.click("text=Climbers against accuracy")
    page.wait_for_selector("#study-missing:not(:empty)")
    page.click("#start")
    page.wait_for_function("() => document.body.dataset.runState === 'finished'", timeout=PATIENCE)
    page.wait_for_function("() => document.querySelector('#study-all td')?.textContent.replace(/\\D/g, '') === '1300'")
    run = page.evaluate("() => window.TourScope.run.id")
    with urllib.request.urlopen(f"{server.url}runs/{run}/climbers.csv") as answer:
        rows = list(csv.DictReader(io.StringIO(answer.read().decode())))
    lengths, moves = (np.array([int(row[name]) for row in rows]) for name in ("length", "moves"))
    shown = texts(page, "study-rows")
    assert [row[0] for row in shown] == ["1", "10", "100", "1\u202f000"]
    for cells, (size, count, mean, best, worst) in zip(shown, groups_of(lengths), strict=True):
        assert [number(cell) for cell in cells[:2]] == [size, count]
        assert [number(cell) for cell in cells[2:5]] == pytest.approx([mean, best, worst], abs=0.51)
        assert number(cells[5]) == pytest.approx(100 * 7542 / mean, abs=0.0101)
    [[_, *shares, scans, _]] = texts(page, "study-all")
    near = [100 * (lengths <= 7542 * (1 + p / 100)).mean() for p in (1, 2, 5)]
    assert [number(share) for share in shares] == pytest.approx(near, abs=0.0101)
    assert number(scans) == pytest.approx(moves.mean() + 1, abs=0.051)
    assert page.inner_text("#study-key-best") == "best optimal"
    assert page.evaluate("() => document.getElementById('study-bars').style.clipPath").count("%,") > 40
    assert len(page.query_selector_all("#study-ticks span")) > 2

    page.click("#study-part label >> nth=0")
    page.wait_for_selector("#climbers .ag-row", state="visible")
    assert not page.is_visible("#study")


@pytest.mark.long
def test_an_algorithm_without_restarts_says_so(page, server):
    page.goto(f"{server.url}?v=1&instance=burma14&algorithm=greedy&seed=1&device=auto")
    page.wait_for_selector("#algorithm:has-text('Greedy')")
    page.wait_for_function(DRAWN)
    page.click("text=Climbers against accuracy")
    page.click("#start")
    page.wait_for_function("() => document.getElementById('study-missing').textContent.includes('Greedy')")
    assert not page.is_visible("#study-rows")
