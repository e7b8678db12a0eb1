"""A run as a file: opened from the disk, without a network."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from commands.main import main
from components.embed.document import PageRecorder, build_document
from tests.saved.releases import RELEASES, unpack

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
#: Counts the pictures that are painted of the tour.
COUNTING = """
window.painted = 0;
const clear = CanvasRenderingContext2D.prototype.clearRect;
CanvasRenderingContext2D.prototype.clearRect = function (...place) {
  window.painted += this.canvas.id === "tour" ? 1 : 0;
  return clear.apply(this, place);
};
"""
#: Pictures a second over some milliseconds.
RATE = """(milliseconds) => new Promise((told) => {
  const [painted, began] = [window.painted, performance.now()];
  setTimeout(() => told((1000 * (window.painted - painted)) / (performance.now() - began)), milliseconds);
})"""


@pytest.fixture
def open_run_file(chromium):
    """Opens a file without a network and collects errors and requests in lists."""
    contexts = []

    def open_file(path, **more):
        context = chromium.new_context(offline=True, viewport={"width": 900, "height": 700}, **more)
        contexts.append(context)
        context.add_init_script(COUNTING)
        page = context.new_page()
        page.wrong, page.asked = [], []
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        page.on("console", lambda sentence: page.wrong.append(sentence.text) if sentence.type == "error" else None)
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(path.as_uri())
        return page

    yield open_file
    for context in contexts:
        context.close()


def save_file(tmp_path, name: str):
    run, file = unpack(RELEASES[0], f"runs/{name}.tourscope", tmp_path / "run.tourscope"), tmp_path / "run.html"
    file.write_text(build_document(run), encoding="utf-8")
    return file


def ink(page, canvas: str) -> int:
    """The number of colours on a canvas."""
    pixels = page.locator(canvas).evaluate("it => [...new Uint32Array("
        "it.getContext('2d').getImageData(0, 0, it.width, it.height).data.buffer)]")  # fmt: skip
    return len(np.unique(pixels))


def test_run_plays_from_disk_without_requests(open_run_file, tmp_path):
    file = save_file(tmp_path, "two-opt-cpu")
    page = open_run_file(file, color_scheme="dark")
    expect(page.locator("#hud-where")).to_have_text(re.compile(r"climber 1 of .*move [1-9]"))
    page.keyboard.press("Space")
    expect(page.locator("#player-play")).to_have_attribute("aria-pressed", "false")
    page.locator("#player-move").fill("1")
    expect(page.locator("#hud-where")).to_have_text(re.compile("move 1 of"))
    expect(page.locator("#explain")).to_have_text(re.compile("Removes .* shorter"))
    page.locator("#player-climb").fill("2")
    expect(page.locator("#hud-where")).to_have_text(re.compile("climber 3 of"))
    assert ink(page, "#tour") > 3
    expect(page.locator("#run")).to_have_attribute("data-bs-theme", "dark")
    page.locator("#theme").click()
    expect(page.locator("#run")).to_have_attribute("data-bs-theme", "light")
    assert page.wrong == []
    assert page.asked == [file.as_uri()]


@pytest.mark.long
def test_pheromone_is_shown_from_disk(open_run_file, tmp_path):
    page = open_run_file(save_file(tmp_path, "max-min-none"), reduced_motion="reduce")
    expect(page.locator("#legend")).to_have_class("legend building")
    expect(page.locator("label[for=player-climb]")).to_have_text("Iteration")
    page.get_by_role("button", name="Pheromone").click()
    expect(page.locator("#hud-where")).to_have_text(re.compile("iteration"))
    expect(page.locator("#heat")).to_have_attribute("data-empty", "false")
    assert ink(page, "#heat-canvas") > 1
    page.get_by_role("button", name="Trails").click()
    expect(page.locator("#view-sentence")).to_have_text(re.compile("wider an edge"))
    assert ink(page, "#trails") > 1
    assert page.wrong == []


@pytest.mark.long
@pytest.mark.alone
def test_a_run_of_a_thousand_cities_is_small_and_plays_smoothly(open_run_file, tmp_path, capsys):
    file = tmp_path / "pr1002.html"
    assert main(["run", "pr1002", "two-opt", "--climbers", "20", "--html", str(file)], record=PageRecorder) == 0
    assert file.stat().st_size < 3e6
    page = open_run_file(file)
    expect(page.locator("#hud-where")).to_have_text(re.compile(r"move [1-9]"))
    assert max(page.evaluate(RATE, 5000) for _ in range(3)) >= 25
    capsys.readouterr()
