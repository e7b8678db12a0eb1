"""The Watch page by keyboard only: a run from its instance to its file, with visible focus."""

import re

import pytest
from playwright.sync_api import expect
from serving import PATIENCE
from watching import DRAWN, at, wait_for_text, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
expect.set_options(timeout=PATIENCE)

#: More stops than any form has.
_MANY = 60
#: What the element that has the keyboard is called: its label, or its words.
CALLED = """() => {
    const { activeElement: now } = document;
    const name = now.getAttribute('aria-label') || now.labels?.[0]?.textContent || now.innerText || '';
    return name.replace(/\\s+/g, ' ').trim();
}"""
#: The outline of what has the keyboard, or of the label that stands for it; and the colours that it has to differ from.
OUTLINE = """() => {
    const { activeElement: now } = document;
    const seen = now.matches('.segments input') ? now.nextElementSibling : now;
    const { outlineStyle, outlineWidth, borderColor, boxShadow } = getComputedStyle(seen);
    const { width, height } = seen.getBoundingClientRect();
    const ring = (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
    return { name: `${now.tagName} ${now.id} ${now.className}`, ring: ring && width > 0 && height > 0 };
}"""
#: Collects what screen readers are told.
LISTEN = """() => {
    window.told = [];
    new MutationObserver((changes) => changes.forEach(({ target }) => {
        const element = target instanceof Element ? target : target.parentElement;
        const live = element?.closest('[aria-live], [role=status]');
        if (live && live.getAttribute('aria-live') !== 'off') window.told.push(live.textContent);
    })).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def tab_to(page, name: str) -> int:
    """Press Tab until the element with this name has the focus; return the number of presses."""
    called = []
    for count in range(1, _MANY):
        page.keyboard.press("Tab")
        called.append(page.evaluate(CALLED))
        if re.fullmatch(name, called[-1]):
            return count
    raise AssertionError(f"{name} is not among {called}")


def has_keyboard(page, role: str, name: str) -> None:
    expect(page.get_by_role(role, name=name, exact=True)).to_be_focused()


def test_run_by_keyboard_alone_from_instance_to_file(page, server):
    page.goto(server.url)
    page.wait_for_function(DRAWN)
    page.wait_for_selector("#start:enabled")
    for control in ("player-play", "player-climb"):
        assert page.is_disabled(f"#{control}"), "there is no run to play"
    page.keyboard.press("Tab")
    has_keyboard(page, "link", "Skip to the content")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    assert page.url == server.url, "the address is what is shown"

    tab_to(page, "Instances")
    page.keyboard.press("Enter")
    expect(page.locator("#instances-search")).to_be_focused()
    page.wait_for_selector("#instances-cards .card")
    page.keyboard.type("krolak")
    found = [re.compile(f"^{name}") for name in ("kroA100", "kroB100", "kroC100", "kroA200", "kroB200")]
    cards = page.get_by_role("listbox", name="Instances").get_by_role("option")
    expect(cards).to_have_text(found)
    page.keyboard.press("ArrowDown")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    has_keyboard(page, "button", "Instances")
    page.wait_for_function("() => window.TourScope.tour.painted().cities === 200")
    page.keyboard.press("Enter")
    expect(page.get_by_role("option", selected=True, name="kroA200")).to_be_visible()
    page.keyboard.press("Escape")
    has_keyboard(page, "button", "Instances")

    tab_to(page, "Algorithm")
    has_keyboard(page, "combobox", "Algorithm")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Algorithm").get_by_role("radio", checked=True)).to_be_focused()
    while (before := page.evaluate("() => document.activeElement.value")) != "ant-system":
        page.keyboard.press("ArrowDown")  # a menu that has just opened takes one arrow at a time
        page.wait_for_function("before => document.activeElement.value !== before", arg=before)
    page.keyboard.press("Enter")
    has_keyboard(page, "combobox", "Algorithm")
    expect(page.get_by_role("combobox", name="Algorithm", exact=True)).to_have_text("Ant System")
    for state in ("visible", "hidden"):  # a menu that is closed leaves the page its keys
        page.keyboard.press("?")
        page.wait_for_selector("#keys", state=state)
    has_keyboard(page, "combobox", "Algorithm")
    wait_for_text(page, "algorithm-note", "^Ants")
    page.wait_for_selector("#start:enabled")

    tab_to(page, "Iterations")
    iterations = page.get_by_role("spinbutton", name="Iterations")
    page.keyboard.press("ArrowUp")
    expect(iterations).to_have_value("110")  # one step of its slider, which is no stop of its own
    assert page.evaluate("() => document.querySelector('#slider-iterations').value > 0")
    page.keyboard.press("Control+A")
    page.keyboard.type("0")
    tab_to(page, "Time budget.*")
    page.keyboard.press("Control+A")
    page.keyboard.type("600")  # else the run might be over before it is paused
    page.evaluate("() => { document.getElementById('start').disabled = true; }")  # as while the server answers
    page.keyboard.press("Control+Enter")
    page.evaluate("() => { document.getElementById('start').disabled = false; }")
    wait_for_text(page, "start-note", "^Iterations: enter")
    expect(iterations).to_be_focused()  # what was refused has the keyboard
    page.keyboard.press("Control+A")
    page.keyboard.type("100000")
    page.evaluate(LISTEN)
    page.keyboard.press("Control+Enter")

    has_keyboard(page, "button", "Pause the run")  # where Start was
    page.wait_for_function("() => window.TourScope.run.id && window.TourScope.player.shown()")
    wait_state(page, "running")
    page.wait_for_selector("#run-pause:enabled")  # once Dash knows of the run
    has_keyboard(page, "button", "Pause the run")
    page.keyboard.press("Enter")
    wait_state(page, "paused")
    has_keyboard(page, "button", "Resume the run")
    tab_to(page, "Step")
    with page.expect_request(lambda request: '"run-step.n_clicks"' in (request.post_data or "")):
        page.keyboard.press("Enter")
    has_keyboard(page, "button", "Step")
    tab_to(page, "Cancel the run")
    page.keyboard.press("Enter")
    wait_state(page, "cancelled")
    has_keyboard(page, "button", "Start")
    answer = page.evaluate("() => [...new Set(window.told)].filter((text) => /^(Running|Paused|Cancelled)/.test(text))")
    assert [text.split()[0].rstrip(".:") for text in answer][-3:] == ["Running", "Paused", "Cancelled"]
    assert page.evaluate("() => window.told.length") < 30, "no number that moves is read aloud"

    tab_to(page, "Iteration")
    page.keyboard.press("Home")
    page.keyboard.press("Home")  # first its own start, then the first of all
    page.wait_for_function("() => window.TourScope.player.state.climb === 0")
    page.keyboard.press("ArrowRight")
    at(page, 0, 1)
    expect(page.get_by_role("slider", name="Iteration", exact=True)).to_have_attribute(
        "aria-valuetext", re.compile("^iteration 1")
    )
    page.keyboard.press("Shift+Tab")
    tab_to(page, "Iteration")
    for _ in range(_MANY):
        page.keyboard.press("Shift+Tab")
        if page.evaluate(CALLED) == "Save":
            break
    page.keyboard.press("Enter")
    tab_to(page, "JSON")
    with page.expect_download() as saved:
        page.keyboard.press("Enter")
    assert saved.value.suggested_filename.endswith(".json")


@pytest.mark.long
def test_form_has_few_tab_stops_with_visible_focus(page, server):
    page.goto(f"{server.url}?v=1&instance=burma14&algorithm=ant-colony-system&seed=1")
    page.wait_for_selector("#start:enabled")
    part = page.get_by_role("radiogroup", name="Below the chart").get_by_role("radio")
    expect(part.last).to_have_accessible_name(re.compile("^(?!Below)"))  # a choice and its options have their own names
    page.focus("#algorithm")
    devices = int(not page.locator("#form.no-gpu").count())  # a choice that only a machine with a GPU has
    assert tab_to(page, "Start") <= 16 + devices
    unseen = []
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.bsTheme = theme; }", theme)
        page.focus("#theme-toggle")
        for _ in range(_MANY):
            page.keyboard.press("Tab")
            focus = page.evaluate(OUTLINE)
            unseen += [] if focus["ring"] else [f"{theme}: {focus['name']}"]
            if page.evaluate("() => document.activeElement === document.body"):
                break
    assert [each for each in unseen if "BODY" not in each] == []
