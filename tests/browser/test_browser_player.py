"""The player in a real browser: every move of a climb, rows, keys, saved files, and its position after a reload."""

import csv
import io
import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from watching import at, link, open_form, open_save_menu, position, start_run, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def test_moves_are_stepped_by_buttons_sliders_rows_and_keys(climb):
    page = climb
    page.evaluate("() => window.TourScope.player.playClimb(3, false)")
    at(page, 3, 0)
    moves = page.evaluate("() => window.TourScope.player.shown().count")
    lengths = []
    for move in range(1, moves + 1):
        page.click("#player-forward")
        at(page, 3, move)
        lengths.append(int(re.sub(r"\D", "", page.inner_text("#hud-length")) or 0))
    assert lengths == sorted(lengths, reverse=True)
    end = page.evaluate("() => window.TourScope.climbs.get(3).then((climb) => climb.lengths[climb.count])")
    visible = "end => document.getElementById('hud-length').textContent.replace(/\\D/g, '') === String(end)"
    page.wait_for_function(visible, arg=end)
    page.click("#player-forward")
    at(page, 4, 0)
    page.click("#player-back")
    at(page, 3, moves)
    page.locator("#player-move").fill("2")
    at(page, 3, 2)
    page.locator("#player-climb").fill("7")
    page.wait_for_function("() => window.TourScope.player.state.climb >= 6")

    cell = page.locator("#climbers .ag-center-cols-container .ag-row[row-index='4']").first
    climber = int(re.sub(r"\D", "", cell.inner_text().split("\n")[0]))
    cell.click()
    page.wait_for_function("climb => window.TourScope.player.state.climb === climb", arg=climber - 1)
    page.keyboard.press("Space")
    page.wait_for_function("() => !window.TourScope.player.state.playing")
    page.evaluate("() => { window.TourScope.player.setSpeed(0); window.TourScope.player.playClimb(0, true); }")
    page.wait_for_function("() => window.TourScope.player.state.playing")
    page.locator("#tour").click(position={"x": 5, "y": 5})
    page.keyboard.press("Space")
    assert not page.evaluate("() => window.TourScope.player.state.playing")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    page.wait_for_function("() => window.TourScope.player.state.position === 0")
    climber = position(page)[0]
    page.keyboard.press("ArrowRight")
    at(page, climber, 1)
    page.keyboard.press("ArrowLeft")
    at(page, climber, 0)
    page.keyboard.press("End")
    page.wait_for_function("() => window.TourScope.player.state.position === window.TourScope.player.shown().count")
    page.get_by_role("radio", name="CPU", exact=True).focus()  # a choice takes its own keys alone
    page.keyboard.press("?")
    page.wait_for_selector("#keys")
    page.keyboard.press("?")


def test_everything_can_be_saved(climb):
    files = {
        "PNG": (r"burma14-two-opt-\d+\.png", b"\x89PNG"),
        "SVG": (r"burma14-two-opt-\d+\.svg", b"<svg"),
        "GIF": (r"burma14-two-opt-climb-\d+\.gif", b"GIF8"),
        ".tour": (r"burma14-two-opt-3323\.tour", b"NAME"),
        "CSV": (r"burma14-two-opt-climbers\.csv", b"climber,"),
        "JSON": (r"burma14-two-opt-3323\.json", b"{"),
        "HTML": (r"burma14-two-opt\.html", b"<!DOCTYPE html>"),
        "PDF": (r"burma14-two-opt-3323\.pdf", b"%PDF-1.4"),
        "TikZ": (r"burma14-two-opt-3323\.tex", b"% burma14: tour of length 3323"),
        "Run file": (r"burma14-two-opt\.tourscope", b"SQLite format 3"),
    }
    saved = {}
    open_save_menu(climb)
    for name, (pattern, magic) in files.items():
        with climb.expect_download() as download:
            climb.get_by_role("button", name=name, exact=True).and_(climb.locator("[id^=save-]")).click()
        assert re.fullmatch(pattern, download.value.suggested_filename)
        saved[name] = download.value.path().read_bytes()
        assert saved[name].startswith(magic)
    assert json.loads(saved["JSON"])["optimum"] == 3323
    cities = re.findall(r"^\d+$", saved[".tour"].decode(), re.M)
    assert sorted(map(int, cities)) == list(range(1, 15))


def saved_file(page, selector):
    """The file that a button saves."""
    open_save_menu(page)
    with page.expect_download() as download:
        page.locator(selector).click()
    return download.value.path().read_bytes()


@pytest.mark.long
def test_pictures_have_the_chosen_size_theme_and_typeface(climb):
    open_save_menu(climb)
    climb.click(".picture-menu summary")
    for name, value in (("width", "1280"), ("gif", "640"), ("theme", "dark")):
        climb.select_option(f"select[data-picture={name}]", value)
    dark = (0x14, 0x1B, 0x25)
    for selector in ("#save-png", "[data-chart=convergence][data-save=png]"):
        picture = Image.open(io.BytesIO(saved_file(climb, selector)))
        assert picture.width == 1280
        assert picture.convert("RGB").getpixel((2, 2)) == dark
        assert picture.convert("RGBA").getextrema()[3] == (255, 255), "no pixel is see-through"
        letters = (np.abs(np.asarray(picture.convert("RGB"), int) - dark) > 60).any(axis=(1, 2))
        assert letters.argmax() >= 20, "the title has room above it"
    film = Image.open(io.BytesIO(saved_file(climb, "#save-gif")))
    assert film.width == 640
    assert film.convert("RGB").getpixel((2, 2)) == dark
    drawing = saved_file(climb, "#save-svg").decode()
    assert "@font-face" in drawing
    assert "data:" in drawing.partition("@font-face")[2][:200]
    words = " ".join(ElementTree.fromstring(drawing).itertext())
    for part in ("burma14", "2-opt, random restarts", "length", "seed 1", "tour", "city"):
        assert part in words
    climb.select_option("select[data-picture=theme]", "page")
    light = Image.open(io.BytesIO(saved_file(climb, "#save-png"))).convert("RGB")
    assert light.getpixel((2, 2)) == (255, 255, 255)
    assert json.loads(climb.evaluate("() => window.localStorage.getItem('pictures')"))["width"] == "1280"
    open_save_menu(climb)
    climb.click(".picture-menu summary")


@pytest.mark.long
def test_climbers_against_accuracy_are_shown_as_a_table_and_saved_as_numbers_and_picture(climb):
    climb.click("#restarts-part label:has-text('Climbers against accuracy')")
    climb.wait_for_function("() => document.querySelectorAll('#restarts-rows tr').length === 2")
    cells = "[...row.cells].map((cell) => cell.textContent)"
    visible = climb.evaluate(f"() => [...document.querySelectorAll('#restarts-rows tr')].map((row) => {cells})")
    rows = [*csv.DictReader(saved_file(climb, "[data-chart=restarts][data-save=csv]").decode().splitlines())]
    assert [*rows[0]] == ["climbers", "groups", "mean_length", "best_length", "worst_length", "accuracy_percent"]
    for entry, row in zip(visible, rows, strict=True):
        numbers = [float(re.sub(r"[^\d.]", "", cell)) for cell in entry]
        *lengths, accuracy = (float(value) for value in row.values())
        assert numbers[:-1] == pytest.approx(lengths, abs=0.51)
        assert numbers[-1] == pytest.approx(accuracy, abs=0.0101)
    assert [row["climbers"] for row in rows] == ["1", "10"]
    words = " ".join(ElementTree.fromstring(saved_file(climb, "[data-chart=restarts][data-save=svg]")).itertext())
    for part in ("burma14", "gap to optimum, %", "accuracy, %", "k climbers", "climbers", "mean"):
        assert part in words
    climb.click("#restarts-part label:has-text('Climbers') >> nth=0")
    climb.wait_for_selector("#climbers .ag-row", state="visible")
    assert not climb.is_visible("#restarts")
    assert all(axis in climb.inner_text("#convergence") for axis in ("Length", "Move"))


LENS = "() => { const { scale, x, y } = window.TourScope.lens; return [scale, x, y]; }"


@pytest.mark.long
def test_saving_leaves_the_map_unchanged_and_fills_the_picture(page, server):
    open_form(page, link(server, "berlin52", climbers=10))
    start_run(page)
    wait_state(page, "finished")
    page.locator("#tour").hover()
    page.mouse.wheel(0, -300)
    page.wait_for_function(f"() => ({LENS})()[0] > 1.5")
    before = page.evaluate(LENS)
    for _ in range(2):
        open_save_menu(page)
        with page.expect_download() as download:
            page.click("#save-png")
        picture = np.asarray(Image.open(download.value.path()).convert("L"), np.int32)
        inked = np.flatnonzero((np.abs(picture[:-120] - picture[0, 0]) > 40).any(axis=0))
        assert inked[-1] - inked[0] > 0.85 * picture.shape[1]
        assert page.evaluate(LENS) == before


@pytest.mark.long
def test_reload_keeps_the_position_and_a_new_run_starts_at_the_first_climb(page, server):
    open_form(page, link(server, "burma14", climbers=20))
    start_run(page)
    wait_state(page, "finished")
    page.evaluate("() => window.TourScope.player.playClimb(6, false)")
    at(page, 6, 0)
    page.click("#player-forward")
    page.click("#player-forward")
    at(page, 6, 2)
    for _ in range(2):
        page.reload()
        page.wait_for_function("() => window.TourScope?.player?.shown()")
        at(page, 6, 2)
        assert not page.evaluate("() => window.TourScope.player.state.playing")
    first = page.evaluate("() => window.TourScope.run.id")
    page.click("#start")
    page.wait_for_function("first => window.TourScope.run.id !== first && window.TourScope.player.shown()", arg=first)
    assert position(page)[0] == 0
