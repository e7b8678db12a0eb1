"""A real run of Held-Karp in a browser: its requirements, layers and proof, and the message after a cancelled run."""

import json
from urllib.parse import urlencode

import pytest
from watching import open_address, wait_for_text

from solvers.algorithms.held_karp.plan import Plan

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

N, PLAN = 14, Plan(14, 2)
STATE = "() => document.getElementById('run-state').textContent"
NOTE = "() => document.getElementById('needs-note')?.textContent"
#: The bars, of layers and of what is done of them, and what the curve of time says; whole numbers all but the last.
DRAWN = """() => {
    const [all, done, ...time] = document.querySelector('#layers .js-plotly-plot').data;
    return { all: [...all.y], done: [...done.y], text: all.text, time: time.map(({ x, y, text }) => ({ x, y, text })) };
}"""
#: Whether the bars show all that the front has come to.
CAUGHT_UP = """() => {
    const [{ front }, graph] = [window.TourScope, document.querySelector('#layers .js-plotly-plot')];
    if (!graph?.data?.length) return false;
    const { layer } = front.stateAfter(null);
    return graph.data[1].y[layer] === graph.data[0].y[layer] * front.finishedShare(layer, front.stateAfter(null));
}"""


def link(server, instance: str, **fields) -> str:
    query = {"v": 1, "instance": instance, "algorithm": "held-karp", "seed": 1, "device": "auto", **fields}
    return server.url + "?" + urlencode(query)


def visit(page, server, instance: str, **fields) -> str:
    """Open the form with Held-Karp for an instance, and return the note above Start."""
    page.goto(link(server, instance, **fields))
    page.wait_for_function(NOTE)
    return page.evaluate(NOTE)


def asks_what_is_free(request) -> bool:
    """Whether a request asks for the note while no run is active."""
    if "needs-note" not in (request.post_data or ""):
        return False
    values = {inputs["id"]: inputs.get("value") for inputs in request.post_data_json["inputs"]}
    return values["status"]["runs"] == 0


def start(page, state: str) -> None:
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_function("state => window.TourScope?.run?.state === state", arg=state)


def look(page) -> dict:
    """Go to the end in the layers view and return its drawing."""
    page.get_by_role("region", name="Tour", exact=True).locator("label").get_by_text("Layers", exact=True).click()
    page.get_by_text("sets of cities", exact=True).wait_for()
    page.keyboard.press("End")
    page.wait_for_function(CAUGHT_UP)
    return page.evaluate(DRAWN)


@pytest.mark.long
def test_a_run_shows_its_layers_and_its_proof(watch_page, server):
    page = watch_page
    open_address(page, link(server, "burma14"))
    page.wait_for_function(f"() => (({NOTE})() || '').includes('14 cities')")
    start(page, "finished")
    page.wait_for_function("() => window.TourScope.run.proof")
    views = page.get_by_role("region", name="Tour", exact=True).get_by_role("radio")
    assert [views.nth(k).evaluate("(view) => view.labels[0].textContent") for k in (0, 1)] == ["Tour", "Layers"]
    assert not page.get_by_text("Pheromone", exact=True).locator("visible=true").count()
    drawn = look(page)
    states = [PLAN.states(min(layer, PLAN.outer_count - layer)) for layer in range(PLAN.outer_count + 1)]
    assert drawn["all"] == drawn["done"] == states
    assert drawn["text"][4].startswith("4 outer cities: by symmetry those of layer 2")
    fits, beyond, own = drawn["time"]
    assert (fits["x"][0], beyond["x"][-1], own["x"]) == (10, 40, [N])
    assert fits["x"][-1] == beyond["x"][0]
    assert own["y"] == [page.evaluate("() => window.TourScope.front.stateAfter(null).elapsed")]
    assert "more than is free" in beyond["text"][-1]
    wait_for_text(page, "hud-gap", "^best up to here, proven optimal$")
    wait_for_text(page, "hud-where", r"^layer 3 \(0 to 3\)$")
    wait_for_text(page, "player-climb-label", r"^3 \(0 to 3\)$")
    wait_for_text(page, "front-memory", "B free$")
    page.wait_for_function(f"() => ({STATE})().endsWith(': proven optimal.')")
    wait_for_text(page, "front-done", "^100.%$")
    assert page.evaluate("() => window.TourScope.front.all()") == {
        name: sum(map(getattr(PLAN, name), range(PLAN.layers))) for name in ("subsets", "states", "transitions")
    }
    page.get_by_label("Layer", exact=True).fill("1")
    page.wait_for_function("() => document.getElementById('hud-where').textContent.startsWith('layer 1 (0 to 3)')")
    page.wait_for_function(f"() => ({DRAWN})().done[2] === 0")
    assert page.evaluate(DRAWN)["done"] == [states[0], states[1], 0, 0, 0, states[1], states[0]]


#: The boxes of both charts with their words: of the axes' areas, and of the words above them.
BOXES = """() => {
    const box = (part) => part.getBoundingClientRect();
    const layout = document.querySelector('#layers .js-plotly-plot')._fullLayout;
    const at = box(document.querySelector('#layers .main-svg'));
    const words = [...document.querySelectorAll('#layers .annotation-text-g')].slice(0, 2).map(box);
    return ['', '2'].map((end, k) => {
        const [x, y] = [layout[`xaxis${end}`], layout[`yaxis${end}`]];
        const left = at.left + Math.min(x._offset, words[k].left - at.left);
        return {
            left, top: words[k].top, bottom: at.top + y._offset + y._length,
            right: Math.max(at.left + x._offset + x._length, words[k].right),
        };
    });
}"""


@pytest.mark.long
def test_charts_of_layers_do_not_overlap_and_the_sentence_names_the_cities(page, server):
    visit(page, server, "burma14")
    start(page, "finished")
    look(page)
    wait_for_text(
        page, "explain", r"^Layer 3: sets of 3 of the 6 outer cities, 2 to 7, with any of the inner ones, 8 to 14\."
    )
    for width, height in ((1280, 800), (1280, 720), (1440, 860), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            f"""() => {{
                const [one, other] = ({BOXES})();
                const apart = one.right <= other.left || one.bottom <= other.top;
                return apart && Math.min(one.bottom - one.top, other.bottom - other.top) > 100;
            }}"""
        )


@pytest.mark.long
def test_table_has_a_row_per_layer_and_files_record_the_proof(page, server):
    visit(page, server, "burma14")
    start(page, "finished")
    page.wait_for_selector(".climbers .ag-row.best")
    page.wait_for_function(
        "() => document.querySelectorAll('.climbers .ag-center-cols-container .ag-row').length === 4"
    )
    numbers = page.evaluate(
        "() => [...document.querySelectorAll('.climbers [col-id=climber].ag-cell')].map((e) => e.textContent)"
    )
    assert sorted(numbers) == ["0", "1", "2", "3"]
    run = page.evaluate("() => window.TourScope.run.id")
    fetched = {
        part: page.request.get(f"{server.url}runs/{run}{part}")
        for part in ("", "/result.json", "/climbers.csv", "/climbs/3.gif")
    }
    assert fetched[""].json()["proven"] is True
    assert fetched["/result.json"].json()["proven"] is True
    assert [line.split(",")[0] for line in fetched["/climbers.csv"].text().splitlines()[1:]] == ["0", "1", "2", "3"]
    assert fetched["/climbs/3.gif"].body().startswith(b"GIF8")
    assert fetched["/climbs/3.gif"].headers["content-disposition"].endswith('burma14-held-karp-climb-3.gif"')
    page.reload()
    page.wait_for_function("() => window.TourScope?.run?.proof")


@pytest.mark.long
def test_proof_of_an_unknown_optimum_adds_gaps(page, server):
    visit(page, server, json.dumps({"generate": "uniform", "n": 12, "seed": 5}))
    start(page, "finished")
    page.wait_for_function("() => window.TourScope.run.proof")
    page.wait_for_selector(".climbers .ag-row.best [col-id=gap]:has-text('0\u202f%')")
    gaps = "() => [...document.querySelectorAll('.climbers .ag-row [col-id=gap]')].map((each) => each.textContent)"
    page.wait_for_function(f"() => ({gaps})().every(Boolean)")
    page.wait_for_function("() => document.getElementById('tile-gap').textContent.startsWith('proven optimal')")


@pytest.mark.long
def test_cancelled_run_is_not_proven(page, server):
    visit(page, server, "bays29")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_function("() => window.TourScope?.run?.rows > 1")
    page.get_by_role("region", name="Tour", exact=True).locator("label").get_by_text("Layers", exact=True).click()
    page.click("#player-live")
    page.wait_for_function("() => document.getElementById('hud-where').textContent.endsWith(' (0 to 11) · live')")
    with page.expect_request(asks_what_is_free):  # again, once the run has given its memory back
        page.click("#run-cancel")
    page.wait_for_function("() => window.TourScope.run.state === 'cancelled'")
    page.wait_for_function(f"() => ({STATE})() === 'Cancelled: stopped before the last layer: not proven.'")
    drawn = look(page)
    assert sum(drawn["done"]) < sum(drawn["all"])
    assert "so far" in drawn["time"][-1]["text"][0]
    run = json.loads(page.request.get(f"{server.url}runs/{page.evaluate('() => window.TourScope.run.id')}").text())
    assert run["proven"] is False


@pytest.mark.long
def test_uploaded_run_has_its_optimum_and_no_proof(page, server):
    visit(page, server, "burma14")
    start(page, "finished")
    page.wait_for_function("() => window.TourScope.run.proof")
    brought = page.evaluate(
        """async (base) => {
            const file = await fetch(`${base}runs/${window.TourScope.run.id}/run.tourscope`);
            const taken = await fetch(`${base}runs`, { method: "POST", body: await file.arrayBuffer() });
            return (await taken.json()).id;
        }""",
        server.url,
    )
    page.goto(f"{server.url}?run={brought}")
    page.wait_for_function("() => window.TourScope?.run?.state === 'finished'")
    page.wait_for_function(f"() => /^Finished in .*: imported, so not proven here\\.$/.test(({STATE})())")
    page.wait_for_function("() => document.getElementById('tile-gap').textContent.startsWith('optimal')")
    assert page.evaluate("() => window.TourScope.run.proof") is False
    assert json.loads(page.request.get(f"{server.url}runs/{brought}").text())["proven"] is False
