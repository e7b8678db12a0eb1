"""A site served as a folder below a path: a tour is improved at once, a lesson runs its solvers, and a person can
race."""

import functools
import http.server
import re
import threading

import pytest
from axe import Look, needs_axe, violations
from playwright.sync_api import expect

from components.site.__main__ import main
from tests.saved.releases import RELEASES, unpack

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
LOOKS = tuple(Look(theme, *size) for theme in ("light", "dark") for size in ((390, 844), (1280, 720)))


#: Whether the map shows a move after another one.
MOVE_AFTER = """(least) => {
    const shown = document.getElementById("hud-where").textContent.match(/move (\\d+)/);
    return shown && Number(shown[1]) > least;
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Address of a site with a saved run, below a path."""
    top = tmp_path_factory.mktemp("top")
    run = unpack(RELEASES[0], "runs/two-opt-cpu.tourscope", tmp_path_factory.mktemp("run") / "run.tourscope")
    assert main([str(top / "course" / "tours"), "--run", str(run)]) == 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=top))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/course/tours/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def page(chromium, address):
    """A page of the site; at the end asserts that nothing failed and nothing outside of the folder was requested."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page, wrong, asked = context.new_page(), [], []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda sentence: wrong.append(sentence.text) if sentence.type in ("error", "warning") else None)
    page.on("request", lambda request: asked.append(request.url))
    yield page
    context.close()
    assert wrong == []
    assert [each for each in asked if not each.startswith((address, "data:"))] == []


def length(page) -> int:
    return int(re.sub(r"\D", "", page.locator("#hud-length").inner_text()))


def move(page) -> int:
    return int(re.search(r"move (\d+)", page.locator("#hud-where").inner_text())[1])


def test_tour_shortens_at_once_a_lesson_solves_and_a_visitor_races(page, address):
    page.goto(address)
    expect(page.locator("#hud-where")).to_have_text(re.compile(r"move [1-9]"))
    first, at = length(page), move(page)
    page.wait_for_function(MOVE_AFTER, arg=at)  # however many moves pass between two looks
    assert length(page) < first
    page.get_by_role("link", name="First lesson").click()

    page.get_by_text("Far more than").click()
    page.keyboard.press("n")
    page.get_by_role("button", name="Run this").click()
    expect(page.locator("#ending-sentence")).to_have_text(re.compile(r"Best 7\s596, 0\.72"))
    expect(page.locator(".lesson-feedback")).to_have_text("The run has ended: continue.")
    expect(page.locator("#hud-where")).to_have_text(re.compile(r"climber 1 of 100 · move [1-9]"))
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("n")
    expect(page.locator(".lesson-place")).to_have_text("3 of 5")
    expect(page.locator("#hud-length")).to_have_attribute("data-lesson-mark", "")
    page.locator("#site-climbs tbody tr").first.click()
    expect(page.locator("#hud-where")).to_have_text(re.compile("climber 22 of 100"))
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_label("Seed").fill("3")
    page.get_by_label("Seed").press("Enter")
    expect(page.locator("#ending-sentence")).to_have_text(re.compile(r"Best 7\s542, optimal"))
    assert re.search(r"#lesson=first-minute&step=4$", page.url)

    page.get_by_role("link", name="Beat 2-opt").click()
    page.locator("#site-cities").select_option("10")
    page.evaluate("document.activeElement.blur()")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    expect(page.locator("#hand-at")).to_have_text(re.compile("9 of 10 cities"))
    page.keyboard.press("Backspace")
    expect(page.locator("#hand-at")).to_have_text(re.compile("8 of 10 cities"))
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # the button to race has the focus
    expect(page.locator("#hand-sentence")).to_have_text(re.compile("2-opt wins|You beat 2-opt|A draw"))
    expect(page.locator("#hand-at")).to_have_text(re.compile("edges are in both tours|the same tour"))


@pytest.mark.long
def test_tour_is_drawn_by_touch(chromium, address):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{address}beat.html")
    page.locator("#site-cities").select_option("10")
    box = page.locator("#tour").bounding_box()
    for y in range(18, int(box["height"]), 36):  # closer to each other than a finger reaches
        for x in range(18, int(box["width"]), 36):
            page.touchscreen.tap(box["x"] + x, box["y"] + y)
    expect(page.locator("#hand-sentence")).to_have_text(re.compile(r"Your tour is [\d\s]+ long\."))
    page.get_by_role("button", name="Race 2-opt").tap()
    expect(page.locator("#hand-sentence")).to_have_text(re.compile("2-opt wins|You beat 2-opt|A draw"))
    page.get_by_role("button", name="Draw again").tap()
    expect(page.locator("#hand-sentence")).to_have_text(re.compile("Draw your own tour"))
    context.close()


@pytest.mark.long
def test_a_saved_run_plays_and_follows_the_theme(page, address):
    page.goto(f"{address}run-1.html")
    expect(page.locator("#hud-where")).to_have_text(re.compile(r"climber 1 of .*move [1-9]"))
    page.get_by_role("button", name="Light or dark").click()
    expect(page.locator(".in-site")).to_have_attribute("data-bs-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-bs-theme", "dark")


@needs_axe
@pytest.mark.long
@pytest.mark.parametrize("name", ["index", "two-opt-stuck", "beat", "run-1"])
def test_axe_finds_nothing(chromium, address, name):
    context = chromium.new_context(reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    page.goto(f"{address}{name}.html")
    if name == "two-opt-stuck":
        page.get_by_role("button", name="Start").click()
        page.locator("#ending-sentence").wait_for()
    assert violations(page, LOOKS) == []
    context.close()
