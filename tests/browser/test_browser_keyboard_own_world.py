"""Drawing, places, pictures and films without a mouse: each control is reachable, named and visible, and Escape goes
back."""

import json

import pytest
from serving import PATIENCE
from test_browser_keyboard import OUTLINE
from watching import link, open_form, open_save_menu, start_run, wait_state

from tests.data.pictures.made_up import encode_picture, portrait

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(900)]
#: Numbers the controls of a dialog that can have the keyboard; of radio buttons with one name the group is one.
NUMBERED = """dialog => {
    const all = 'button, input, select, textarea, a[href], summary, [tabindex="0"]';
    const groups = new Set();
    const found = [...document.querySelectorAll(`${dialog} :is(${all})`)].filter((each) => {
        if (each.disabled || each.tabIndex < 0 || !each.checkVisibility()) return false;
        if (each.type !== 'radio') return true;
        if (groups.has(each.name)) return false;
        return groups.add(each.name);
    });
    found.forEach((each, k) => { each.dataset.walk = each.type === 'radio' ? each.name : String(k); });
    return found.map((each) => [each.dataset.walk, `${each.tagName} ${each.id} ${each.textContent.slice(0, 30)}`]);
}"""
#: Which of them has the keyboard, and what a screen reader calls it.
HERE = """() => {
    const now = document.activeElement;
    const labels = now.labels ? [...now.labels].map((each) => each.textContent) : [];
    const by = (now.getAttribute('aria-labelledby') || '').split(' ').filter(Boolean)
        .map((id) => document.getElementById(id)?.textContent || '');
    const name = now.getAttribute('aria-label') || by.join(' ') || labels.join(' ') || now.textContent || now.title;
    return [now.type === 'radio' ? now.name : now.dataset.walk || '', name.trim()];
}"""
IN_VIEW = """() => {
    const { activeElement: now } = document;
    const seen = now.classList.contains('visually-hidden') ? now.parentElement : now;
    const { top, bottom, width } = seen.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < window.innerHeight;
}"""
FOCUSED = "button => document.activeElement === document.querySelector(button)"


def find_tab_faults(page, dialog: str) -> list[str]:
    """Accessibility faults of the controls in an open dialog for a person who uses Tab."""
    wanted = dict(page.evaluate(NUMBERED, dialog))
    assert wanted
    missing, faults = set(wanted), []
    for _ in range(3 * len(wanted) + 6):
        page.keyboard.press("Tab")
        walk, name = page.evaluate(HERE)
        if walk not in wanted:
            continue
        if walk in missing:
            ring = page.evaluate(OUTLINE)["ring"] or page.evaluate(
                "() => document.activeElement.classList.contains('visually-hidden')"
            )
            faults += [] if name else [f"{dialog}: {wanted[walk]} has no name"]
            faults += [] if ring else [f"{dialog}: {wanted[walk]}: the keyboard is not seen"]
            faults += [] if page.evaluate(IN_VIEW) else [f"{dialog}: {wanted[walk]} is out of view"]
            missing.discard(walk)
        if not missing:
            break
    return faults + [f"{dialog}: {wanted[each]} is not reached" for each in sorted(missing)]


def leave_by_escape(page, dialog: str, button: str) -> None:
    """Escape closes a dialog and returns the focus to the element that opened it."""
    page.keyboard.press("Escape")
    page.wait_for_selector(f"{dialog}[open]", state="hidden")
    page.wait_for_function(FOCUSED, arg=button)


def enter_dialog(page, button: str, visible: str) -> None:
    page.focus(button)
    page.keyboard.press("Enter")
    page.wait_for_selector(visible)


def test_drawing_by_keyboard_reaches_every_control(page, server):
    open_form(page, link(server, "berlin52"))
    enter_dialog(page, "#draw-open", "#draw[open]")
    page.keyboard.press("Enter")  # a city where the mark is
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Enter")
    for summary in page.locator("#draw summary").all():
        summary.focus()
        page.keyboard.press("Enter")
    assert find_tab_faults(page, "#draw") == []
    leave_by_escape(page, "#draw", "#draw-open")


def test_picture_becomes_cities_by_keyboard(page, server):
    open_form(page, link(server, "berlin52"))
    enter_dialog(page, "#instances-open", "#instances-cards .card")
    enter_dialog(page, "#picture-open", "#picture[open]")
    with page.expect_file_chooser() as chooser:
        page.focus("#picture-file")
        page.keyboard.press("Enter")
    chooser.value.set_files({"name": "face.png", "mimeType": "image/png", "buffer": encode_picture(portrait())})
    page.fill("#picture-cities", "120")
    page.focus("#picture-make")
    page.keyboard.press("Enter")
    page.wait_for_selector("#picture-use:enabled", timeout=PATIENCE)
    assert find_tab_faults(page, "#picture") == []
    leave_by_escape(page, "#picture", "#picture-open")
    page.keyboard.press("Escape")
    page.wait_for_function(FOCUSED, arg="#instances-open")


def test_places_list_bound_and_films_by_keyboard(page, server):
    open_form(page, link(server, json.dumps({"places": "de", "n": 8}), algorithm="greedy"))
    start_run(page)
    wait_state(page, "finished")
    faults = []
    open_save_menu(page)
    enter_dialog(page, "#save-places", "#itinerary[open] tbody tr")
    faults += find_tab_faults(page, "#itinerary")
    leave_by_escape(page, "#itinerary", "#save-places")
    enter_dialog(page, "#save-video", "#video[open] #video-make:enabled")
    faults += find_tab_faults(page, "#video")
    leave_by_escape(page, "#video", "#save-video")
    enter_dialog(page, "#bound-start", "#bound-why:not([hidden])")
    enter_dialog(page, "#bound-why", "#lower-bound[open]")
    faults += find_tab_faults(page, "#lower-bound")
    leave_by_escape(page, "#lower-bound", "#bound-why")
    page.keyboard.press("?")
    page.wait_for_selector("#keys")
    faults += find_tab_faults(page, "#keys")
    page.keyboard.press("Escape")
    page.wait_for_selector("#keys", state="detached")
    page.wait_for_function(FOCUSED, arg="#bound-why")
    assert faults == []
