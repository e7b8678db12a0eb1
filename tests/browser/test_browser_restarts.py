"""Climbers against accuracy on the page: the chart matches the saved table."""

import csv
import io
import re
import urllib.request

import numpy as np
import pytest
from serving import PATIENCE
from watching import DRAWN

from tests.naive import group_lengths

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def texts(page, rows: str) -> list[list[str]]:
    script = "id => [...document.querySelectorAll(`#${id} tr`)].map((r) => [...r.cells].map((c) => c.textContent))"
    return page.evaluate(script, rows)


def number(text: str) -> float:
    return float(re.sub(r"[^\d.]", "", text))


@pytest.mark.long
def test_panel_fills_and_matches_the_saved_table(page, server):
    page.goto(f"{server.url}?v=1&instance=berlin52&algorithm=two-opt&climbers=1300&seed=4&device=auto")
    page.wait_for_function(DRAWN)
    page.click("text=Climbers against accuracy")
    page.wait_for_selector("#restarts-missing:not(:empty)")
    page.click("#start")
    page.wait_for_function("() => document.body.dataset.runState === 'finished'", timeout=PATIENCE)
    page.wait_for_function(
        "() => document.querySelector('#restarts-all td')?.textContent.replace(/\\D/g, '') === '1300'"
    )
    run = page.evaluate("() => window.TourScope.run.id")
    with urllib.request.urlopen(f"{server.url}runs/{run}/climbers.csv") as answer:
        rows = list(csv.DictReader(io.StringIO(answer.read().decode())))
    lengths, moves = (np.array([int(row[name]) for row in rows]) for name in ("length", "moves"))
    visible = texts(page, "restarts-rows")
    assert [row[0] for row in visible] == ["1", "10", "100", "1\u202f000"]
    for cells, (size, count, mean, best, worst) in zip(visible, group_lengths(lengths.tolist()), strict=True):
        assert [number(cell) for cell in cells[:2]] == [size, count]
        assert [number(cell) for cell in cells[2:5]] == pytest.approx([mean, best, worst], abs=0.51)
        assert number(cells[5]) == pytest.approx(100 * 7542 / mean, abs=0.0101)
    [[_, *shares, scans, _]] = texts(page, "restarts-all")
    near = [100 * (lengths <= 7542 * (1 + p / 100)).mean() for p in (1, 2, 5)]
    assert [number(share) for share in shares] == pytest.approx(near, abs=0.0101)
    assert number(scans) == pytest.approx(moves.mean() + 1, abs=0.051)
    assert page.inner_text("#restarts-key-best") == "best optimal"
    assert page.evaluate("() => document.getElementById('restarts-bars').style.clipPath").count("%,") > 40
    assert len(page.query_selector_all("#restarts-ticks span")) > 2

    page.click("#restarts-part label >> nth=0")
    page.wait_for_selector("#climbers .ag-row", state="visible")
    assert not page.is_visible("#restarts")


@pytest.mark.long
def test_an_algorithm_without_restarts_says_so(page, server):
    page.goto(f"{server.url}?v=1&instance=burma14&algorithm=greedy&seed=1&device=auto")
    page.wait_for_selector("#algorithm:has-text('Greedy')")
    page.wait_for_function(DRAWN)
    page.click("text=Climbers against accuracy")
    page.click("#start")
    page.wait_for_function("() => document.getElementById('restarts-missing').textContent.includes('Greedy')")
    assert not page.is_visible("#restarts-rows")
