"""The view of a population: its lengths and its diversity, live and from history."""

import pytest
from watching import DRAWN, choose, link, open_address, start_run, wait_for_text, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

GRAPH = "document.querySelector('#population .js-plotly-plot')"
FEW = {"population": 20, "offspring": 4, "generations": 12, "crossover": "order", "initial": "random"}


def traces(page, count: int, points: int) -> list:
    """Names and points of the figure's traces, once there are this number of traces and points in the last one."""
    page.wait_for_function(f"() => {GRAPH}?.data?.length === {count} && {GRAPH}.data.at(-1).x.length === {points}")
    return page.evaluate(f"() => {GRAPH}.data.map(({{ name, x, y }}) => ({{ name, x: [...x], y: [...y] }}))")


@pytest.mark.long
def test_lengths_and_diversity_are_drawn_by_generation(watch_page, server):
    page = watch_page
    open_address(page, link(server, "berlin52", "genetic-algorithm", **FEW))
    start_run(page)
    wait_state(page, "finished")
    page.wait_for_selector("#views", state="visible")
    choose(page, "Population")
    bars, worst, mean, best = traces(page, 4, 12)
    assert sum(bars["y"]) == 20
    assert worst["x"] == mean["x"] == best["x"] == list(range(1, 13))
    assert all(low <= middle <= high for low, middle, high in zip(best["y"], mean["y"], worst["y"], strict=True))
    assert best["y"] == sorted(best["y"], reverse=True)
    page.get_by_label("Generation", exact=True).fill("2")
    wait_for_text(page, "hud-where", "^generation 3 of 12")
    words = f"() => {GRAPH}.layout.annotations[0].text.includes('20 tours, generation 3')"
    page.wait_for_function(words)
    choose(page, "Diversity")
    _, edges, shared = traces(page, 3, 12)
    assert all(1 <= count <= 20 for count in edges["y"])
    assert all(0 <= share <= 100 for share in shared["y"])
    assert edges["y"][-1] < edges["y"][0], "a population becomes more alike"


@pytest.mark.long
def test_a_run_is_followed_live(page, server):
    fields = FEW | {"generations": 100_000, "population": 10, "budget.seconds": 600}
    page.goto(link(server, "kroA100", "genetic-algorithm", **fields))
    page.wait_for_function(DRAWN)
    page.click("#start")
    page.wait_for_selector("#views", state="visible")
    choose(page, "Population")
    page.click("#player-live")
    newest = f"() => {GRAPH}?.data?.at(-1)?.x.at(-1) || 0"
    page.wait_for_function(f"() => ({newest})() > 0")
    before = page.evaluate(newest)
    page.wait_for_function(f"before => ({newest})() > before", arg=before)
    page.click("#run-cancel")
    page.wait_for_function("() => document.body.dataset.runState === 'cancelled'")
