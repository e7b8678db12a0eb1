"""The variants of 2-opt on the page; and a table that keeps up with a device's climbers."""

import numpy as np
import pytest

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

VARIANT = '[id=\'{"name":"variant","type":"parameter"}\']'
NOTE = '[id=\'{"algorithm":"two-opt","type":"variant-note"}\']'
#: Tells the page of a GPU, and again every ten seconds, since the server's own news of its devices may come between.
#: Not more often: the page drops a server's answer once it has asked again, and a busy server takes seconds.
FIND_GPU = """() => {
  const found = !document.querySelector("#form.no-gpu");
  if (found || performance.now() < (window.nextNews || 0)) return found;
  window.nextNews = performance.now() + 10_000;
  const gpu = { kind: "cuda", name: "A GPU", available: true, reason: "", compute_capability: "9.0" };
  const devices = [{ kind: "cpu", name: "CPU", available: true, reason: "" }, gpu];
  window.dash_clientside.set_props("status", { data: { devices, spare: "ready" } });
  return false;
}"""
#: Sends columns of `length` as finished climbers, in batches.
SEND = """([lengths, size]) => {
  for (let at = 0; at < lengths.length; at += size) {
    const length = lengths.slice(at, at + size);
    const climber = length.map((_, k) => at + k);
    TourScope.emit("rows", { climber, length, moves: climber, seconds: climber, evaluations: climber });
  }
}"""
SHOWN = """() => {
  const api = window.dash_ag_grid.getApi("climbers");
  return Array.from({ length: api.getDisplayedRowCount() }, (_, k) => api.getDisplayedRowAtIndex(k).data)
    .map(({ length, climber }) => [length, climber]);
}"""


def option(page, name: str):
    return page.locator(".dash-dropdown-option", has_text=name).first


def choose(page, name: str) -> None:
    page.click(VARIANT)
    option(page, name).click()


def test_variants_are_offered_where_they_can_run_and_compared(page, server):
    page.goto(server.url)
    page.wait_for_selector("text=13 of 15 variants need a GPU.")
    page.click(VARIANT)
    assert option(page, "strip").locator("input").is_disabled()
    assert not option(page, "sequential").locator("input").is_disabled()
    assert page.locator("[title^='No CUDA device']", has_text="strip").count()
    page.keyboard.press("Escape")
    assert not page.is_visible(".gpu-only")
    page.wait_for_function(FIND_GPU, polling=500)
    page.wait_for_selector(".gpu-only", state="visible")
    choose(page, "strip")
    page.wait_for_function(
        "note => document.querySelector(note).textContent.includes('Every distance serves')", arg=NOTE
    )
    page.click("#variants-open")
    page.wait_for_function("() => document.querySelectorAll('#variants th[scope=row]').length >= 15")
    page.keyboard.press("Escape")
    page.wait_for_selector("#variants", state="hidden")
    page.click("#variants-open")
    page.click("#variants-close")
    page.wait_for_selector("#variants", state="hidden")


@pytest.mark.long
def test_the_table_keeps_the_best_of_very_many_climbers(page, server):
    page.goto(server.url)
    page.wait_for_selector("#climbers .ag-header-cell-text")
    lengths = np.random.default_rng(1).integers(20_000, 30_000, 180_000)
    page.wait_for_function("() => window.dash_ag_grid?.getApi('climbers')")
    page.evaluate(SEND, [lengths.tolist(), 45_000])
    page.wait_for_function("() => document.getElementById('climbers-note').textContent.startsWith('The best 50')")
    order = np.lexsort((np.arange(lengths.size), lengths))[:50_000]
    page.wait_for_function(f"() => ({SHOWN})().length === 50000")
    shown = page.evaluate(SHOWN)
    assert sorted(shown) == [[int(lengths[k]), int(k) + 1] for k in order]
    page.evaluate("() => TourScope.emit('closed')")
    page.wait_for_function(f"() => !({SHOWN})().length")
