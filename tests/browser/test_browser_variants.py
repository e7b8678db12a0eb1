"""The variants of 2-opt on the page, and a table that keeps up with the climbers of a GPU."""

import numpy as np
import pytest
from playwright.sync_api import expect
from serving import PATIENCE

from solvers.core.devices import probe

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

expect.set_options(timeout=PATIENCE)
#: Tells the page of a GPU, and again every ten seconds, since the server's own news of its devices may come between.
#: Not more often: the page drops a server's answer once it has asked again, and a busy server takes seconds.
FIND_GPU = """() => {
  const found = !document.querySelector("#form.no-gpu");
  if (found || performance.now() < (window.nextNews || 0)) return found;
  window.nextNews = performance.now() + 10_000;
  const limits = { multiprocessors: 132, threads: 2048, blocks: 32, registers: 65536, shared: 233472, free: 0 };
  limits.shared_per_block = 232448;
  const gpu = { kind: "cuda", name: "A GPU", available: true, reason: "", compute_capability: "9.0", limits };
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
  TourScope.emit("log", TourScope.run);
}"""
SHOWN = """() => {
  const api = window.dash_ag_grid.getApi("climbers");
  return Array.from({ length: api.getDisplayedRowCount() }, (_, k) => api.getDisplayedRowAtIndex(k).data)
    .map(({ length, climber }) => [length, climber]);
}"""


@pytest.mark.long
@pytest.mark.skipif(any(each.kind == "cuda" and each.available for each in probe()), reason="there is a GPU")
def test_variants_are_offered_where_they_can_run_and_compared(page, server):
    page.goto(server.url)
    expect(page.get_by_text("13 of 15 variants need a GPU.")).to_be_visible()
    variant, gpus = page.get_by_role("combobox", name="Variant", exact=True), page.get_by_label("GPUs", exact=True)
    variant.click()
    expect(page.get_by_role("radio", name="strip")).to_be_disabled()
    expect(page.get_by_role("radio", name="sequential")).to_be_enabled()
    expect(page.get_by_title("No CUDA device").filter(has_text="strip")).to_be_visible()
    page.keyboard.press("Escape")
    expect(gpus).to_be_hidden()
    page.wait_for_function(FIND_GPU, polling=500)
    expect(gpus).to_be_visible()
    variant.click()
    page.get_by_role("radiogroup", name="Variant").get_by_text("strip", exact=True).click()
    expect(page.get_by_text("Every distance serves")).to_be_visible()
    compare, dialog = page.get_by_role("button", name="Compare variants"), page.get_by_role("dialog")
    compare.click()
    expect(dialog.get_by_role("heading", name="Variants of 2-opt")).to_be_visible()
    assert dialog.get_by_role("rowheader").count() >= 15
    expect(dialog.get_by_text("Limits for this A GPU, whose blocks have 227 KB")).to_be_visible()
    expect(dialog.get_by_text("Its matrix takes 4 n² bytes, and a block may have 227 KB")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    compare.click()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


@pytest.mark.long
def test_table_keeps_the_best_of_very_many_climbers(page, server):
    page.goto(server.url)
    page.wait_for_selector("#climbers .ag-header-cell-text")
    lengths = np.random.default_rng(1).integers(20_000, 30_000, 180_000)
    page.wait_for_function("() => window.dash_ag_grid?.getApi('climbers')")
    page.evaluate(SEND, [lengths.tolist(), 45_000])
    page.wait_for_function("() => document.getElementById('climbers-note').textContent.startsWith('The best 50')")
    order = np.lexsort((np.arange(lengths.size), lengths))[:50_000]
    page.wait_for_function(f"() => ({SHOWN})().length === 50000")
    visible = page.evaluate(SHOWN)
    assert sorted(visible) == [[int(lengths[k]), int(k) + 1] for k in order]
    page.evaluate("() => TourScope.emit('closed')")
    page.wait_for_function(f"() => !({SHOWN})().length")
