"""How runs and races end: with a sentence and a mark; and the optimum of few cities, proven on request."""

import pytest
from PIL import Image
from watching import open_address, open_form, open_save_menu, start_run, wait_for_text, wait_state

from solvers.spec import RunSpec, Stage

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

MARK = "() => document.getElementById('ending').dataset.mark"


def address(server, reference: dict, algorithm: str = "two-opt", **params) -> str:
    return server.url + "?" + RunSpec(reference, (Stage(algorithm, params),)).to_query().lstrip("?")


def run_to_end(page, where: str) -> str:
    """Open a form, start its run, and return the sentence at its end."""
    open_form(page, where)
    start_run(page)
    wait_state(page, "finished")
    return wait_for_text(page, "ending-sentence", r"\.$")


#: The heights of the bound's line in the convergence chart.
BOUND_LINE = "() => Array.from(document.querySelector('#convergence .js-plotly-plot')?.data?.[7]?.y ?? [])"


@pytest.mark.long
def test_bound_is_computed_on_request_and_the_proven_optimum_is_kept(watch_page, server):
    """From every city, nearest neighbour's tour is longer than optimal."""
    page = watch_page
    open_address(page, address(server, {"generate": "uniform", "n": 10, "seed": 83}, "nearest-neighbour", starts=1))
    start_run(page)
    wait_state(page, "finished")
    wait_for_text(page, "ending-sentence", ", shortest of this run, ")
    wait_for_text(page, "tile-gap", "^no optimum known$")
    assert page.evaluate(BOUND_LINE) == []
    page.wait_for_selector(".ag-row")
    gap = page.locator(".ag-header-cell[col-id=gap]")
    gap.wait_for(state="detached")  # there is nothing to measure it from
    page.get_by_role("button", name="Compute", exact=True).click()
    wait_for_text(page, "bound-sentence", "^best is [0-9.]+\\s?% above it")
    wait_for_text(page, "tile-gap", "^[0-9.]+\\s?% above the bound$")
    page.wait_for_function("() => window.TourScope.run.bound?.values.state === 'done'")
    bound = page.evaluate("() => window.TourScope.run.lowerBound()")
    page.wait_for_function(f"(bound) => ({BOUND_LINE})().at(-1) === bound", arg=bound)
    assert bound < page.evaluate("() => window.TourScope.run.best.length")
    assert wait_for_text(page, "bound-announcement", "^Proven: no tour is shorter than ")
    assert page.evaluate("() => window.TourScope.run.proof") is False

    wait_for_text(page, "prove-sentence", "^Held-Karp(, under 1 s| on the GPU), ")
    assert page.evaluate(MARK) == "open"
    page.get_by_role("button", name="Prove it").click()
    page.wait_for_function("() => window.TourScope.run.proven")
    gap.wait_for()
    wait_for_text(page, "ending-sentence", "^Best .* above optimal, ")
    wait_for_text(page, "tile-gap", "% above optimal$")
    page.wait_for_function("() => document.getElementById('prove').hidden")
    page.wait_for_function("() => document.querySelector('#show-optimal, #show-optimal input').disabled === false")
    optimum = page.evaluate("() => window.TourScope.run.optimum")
    start_run(page)
    wait_for_text(page, "ending-sentence", "^Best .* above optimal, ")
    assert page.evaluate("() => window.TourScope.run.optimum") == optimum, "it is known from then on"
    for button in ("prove", "bound-start"):
        assert page.evaluate("button => document.getElementById(button).hidden", button)


#: Whether the offer ends left of the bound, and what it takes is in the tooltip of its button.
APART = """() => {
    const [offer, bound] = ['prove', 'bound'].map((id) => document.getElementById(id).getBoundingClientRect());
    const { title } = document.getElementById('prove-start');
    return [offer.right <= bound.left, title.endsWith(document.getElementById('prove-sentence').textContent)];
}"""


@pytest.mark.long
def test_offer_of_a_proof_does_not_reach_the_bound(watch_page, server):
    run_to_end(watch_page, address(server, {"generate": "uniform", "n": 12, "seed": 79}))
    watch_page.wait_for_selector("#prove")
    for width in (1280, 1440):
        watch_page.set_viewport_size({"width": width, "height": 720})
        assert watch_page.evaluate(APART) == [True, True], width


@pytest.mark.long
def test_race_ends_with_a_sentence_and_a_badge_for_the_winner(page, server, tmp_path):
    page.goto(server.url + "race/?instance=burma14&algorithms=two-opt,nearest-neighbour&seconds=1")
    page.wait_for_function("() => document.getElementById('start')?.disabled === false")
    page.wait_for_function("() => document.querySelectorAll('.lane:not([hidden]) .lane-title').length === 2")
    page.click("#start")
    page.wait_for_function("() => window.TourScope.race.state === 'over'")
    sentence = wait_for_text(page, "race-ending", "one seed")
    assert sentence.startswith("2-opt first: optimal, found after ")
    assert "; Nearest neighbour " in sentence
    page.wait_for_function(
        "() => document.querySelector('.lane[data-place=first] .lane-title')?.textContent === '2-opt'"
    )
    page.wait_for_function("() => !document.getElementById('save-gif').disabled")
    open_save_menu(page)
    with page.expect_download() as download:
        page.click("#save-svg")
    assert "2-opt first: optimal, found after" in download.value.path().read_text().replace("\u2011", "-")
    with page.expect_download() as download:
        page.click("#save-gif")
    with Image.open(download.value.path()) as picture:
        width, height = picture.size
        picture.seek(picture.n_frames - 1)
        strip = picture.convert("L").crop((0, height - 20, width, height))
        assert strip.getextrema()[0] < 128  # the sentence stands there
