"""Lessons: the list, a whole lesson by keyboard only, its checks, its position in the address, and the worksheet."""

import pytest
from playwright.sync_api import expect
from serving import PATIENCE
from watching import wait_for_text, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
expect.set_options(timeout=PATIENCE)

STUCK = "two-opt-stuck"
MARKED = "() => [...document.querySelectorAll('[data-lesson-mark]')].length"
SHORT = """# Mine
minutes: 1
algorithms: greedy
afterwards: You can do it.

## Question: What? <script>window.hostile = true</script>
<img src=x onerror="window.hostile = true">

- [ ] no
- [x] yes

## Run: This
```run
race/?race={"v":2,"instance":{"name":"burma14"},"lanes":[{"stages":[{"algorithm":"greedy"}]},\
{"stages":[{"algorithm":"nearest-neighbour"}]}],"seed":1,"budget":{"seconds":1}}
```

## Check: Well?
- [x] one
  > Yes.
- [ ] two
  > No.
"""


@pytest.fixture(scope="module")
def server(shared_server):
    """The server, with a custom lesson and a faulty one."""
    folder = shared_server.home / "lessons"
    folder.mkdir(exist_ok=True)
    (folder / "mine.md").write_text(SHORT)
    (folder / "faulty.md").write_text(SHORT.replace("## Run", "## Ran"))
    return shared_server


def panel(page):
    return page.locator("#lesson")


def step(page, number: int, title: str) -> None:
    """Wait until the panel shows a step and the address contains it."""
    expect(panel(page).locator("h3")).to_contain_text(title)
    page.wait_for_function("(end) => window.location.hash.endsWith(`step=${end}`)", arg=number)


@pytest.mark.long
def test_list_leads_to_a_lesson_and_a_printed_worksheet(page, server):
    page.goto(f"{server.url}learn/")
    expect(page.locator(".lesson-card")).to_have_count(13)
    expect(page.locator(".lesson-card.faulty")).to_contain_text("Line 12: A step’s heading needs one of")
    page.get_by_role("link", name="Your first minute", exact=True).click()
    expect(panel(page).locator("h3")).to_contain_text("How many round trips")
    expect(panel(page)).to_have_accessible_name("Your first minute")
    page.goto(f"{server.url}learn/?lesson={STUCK}")
    expect(page.get_by_role("heading", name="Why 2-opt gets stuck")).to_be_visible()
    expect(page.locator(".sheet-step")).to_have_count(5)
    expect(page.locator(".lesson-sheet")).not_to_contain_text("8\u202f101")
    expect(page.locator(".lesson-sheet")).not_to_contain_text("Only 4")
    expect(page.locator(".sheet-lines")).to_have_count(2)
    expect(page.get_by_role("img", name="Cities of berlin52").locator("circle")).to_have_count(52)
    page.emulate_media(media="print", color_scheme="dark")
    for hidden in ("header.bar", ".sheet-tools"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.get_by_text("Name", exact=True)).to_be_visible()
    colours = page.evaluate("() => ['color', 'backgroundColor'].map((name) => getComputedStyle(document.body)[name])")
    assert colours[1] == "rgb(255, 255, 255)"
    assert max(int(part) for part in colours[0].strip("rgb()").split(",")) < 80
    page.emulate_media(media="screen")
    page.get_by_role("link", name="Solutions").click()
    expect(page.get_by_role("heading", name="Solutions: Why 2-opt gets stuck")).to_be_visible()
    expect(page.locator(".lesson-sheet")).to_contain_text("8\u202f101")
    expect(page.locator(".sheet-lines")).to_have_count(0)
    expect(page.locator("[data-right=true]")).to_have_count(2)
    expect(page.get_by_role("img", name="Shortest tour of berlin52").locator("path")).to_have_count(1)


def test_lesson_is_dropped_on_the_page_or_its_fault_is_shown(page, server):
    page.goto(f"{server.url}learn/")
    field = page.locator("#lesson-upload input")
    field.set_input_files({"name": "New one.md", "mimeType": "text/markdown", "buffer": b"# Nothing"})
    expect(page.locator("#lesson-upload-note")).to_contain_text("Line 1: ")
    field.set_input_files({"name": "New one.md", "mimeType": "text/markdown", "buffer": SHORT.encode()})
    expect(page.locator("[data-lesson=new-one] .lesson-start")).to_have_text("Mine")
    (server.home / "lessons" / "new-one.md").unlink()


def test_a_whole_lesson_by_keyboard(page, server):
    page.goto(f"{server.url}#lesson={STUCK}&step=1")
    step(page, 1, "Where does it end?")
    page.keyboard.press("n")
    expect(panel(page).get_by_role("status")).to_contain_text("Choose an answer first")
    panel(page).get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    expect(panel(page).get_by_role("radio").nth(1)).to_be_checked()
    page.keyboard.press("n")
    step(page, 2, "Five climbers")
    expect(panel(page).locator("h3")).to_be_focused()
    page.keyboard.press("Tab")
    expect(panel(page).get_by_role("button", name="Run this")).to_be_focused()
    page.keyboard.press("Enter")
    wait_state(page, "finished")
    page.wait_for_function("() => document.getElementById('tile-best').textContent === '8\u202f101'")
    expect(panel(page).get_by_role("status")).to_have_text("The run has ended: continue.")
    assert "climbers=5" in page.url
    assert "run=" in page.url
    page.keyboard.press("n")
    step(page, 3, "Where the five end")
    expect(panel(page)).to_contain_text("That was right.")
    expect(panel(page)).to_contain_text("8\u202f101, 8\u202f204, 8\u202f269, 8\u202f352 and 8\u202f482")
    expect(page.locator(".climbers .ag-center-cols-container [role=row]")).to_have_count(5)
    page.wait_for_function(MARKED)
    page.keyboard.press("b")
    step(page, 2, "Five climbers")
    page.keyboard.press("n")
    page.keyboard.press("n")
    step(page, 4, "More starting points")
    field = page.get_by_role("spinbutton", name="Climbers")
    expect(page.locator("[data-lesson-mark]", has=field)).to_be_visible()
    outcome = panel(page).locator("details")
    expect(outcome).not_to_have_attribute("open", "")
    field.fill("1000")
    page.keyboard.press("Control+Enter")
    page.wait_for_function("() => document.getElementById('tile-best').textContent === '7\u202f542'")
    wait_state(page, "finished")
    panel(page).locator("h3").focus()
    page.keyboard.press("n")
    step(page, 5, "Why do restarts help?")
    panel(page).get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    expect(panel(page).get_by_role("status")).to_contain_text("No. Climbers know nothing of each other.")
    page.keyboard.press("ArrowDown")
    expect(panel(page).get_by_role("status")).to_contain_text("Yes. They try a thousand hills")
    expect(panel(page).get_by_role("link", name="Next lesson")).to_be_visible()
    page.goto(f"{server.url}learn/")
    expect(page.locator(f"[data-lesson={STUCK}] .lesson-progress")).to_have_text("Done")


@pytest.mark.long
def test_link_opens_a_step_and_the_browser_goes_back(page, server):
    page.goto(f"{server.url}#lesson={STUCK}&step=3")
    step(page, 3, "Where the five end")
    panel(page).get_by_role("button", name="Next").click()
    step(page, 4, "More starting points")
    page.go_back()
    step(page, 3, "Where the five end")
    panel(page).get_by_role("button", name="Hide").click()
    expect(panel(page).locator("h3")).to_have_count(0)
    panel(page).get_by_role("button", name="Show").click()
    step(page, 3, "Where the five end")
    page.get_by_role("link", name="Learn").click()
    page.get_by_role("link", name="Watch").click()
    step(page, 3, "Where the five end")
    panel(page).get_by_role("button", name="Close the lesson").click()
    expect(panel(page)).to_be_hidden()
    assert page.evaluate(MARKED) == 0
    assert "#" not in page.url


def test_own_lesson_starts_a_race_and_is_plain_text(page, server):
    page.goto(f"{server.url}#lesson=mine&step=2")  # of the race: the page opens there
    page.wait_for_url("**/race/#lesson=mine&step=2")
    panel(page).get_by_role("button", name="Run this").click()
    page.wait_for_function("() => document.body.dataset.runState === 'finished'")
    wait_for_text(page, "run-state", "^The race is over")
    expect(panel(page).get_by_role("status")).to_have_text("The run has ended: continue.")
    panel(page).get_by_role("button", name="Back").click()
    expect(panel(page)).to_contain_text("<script>window.hostile = true</script>")
    expect(panel(page)).to_contain_text('<img src=x onerror="window.hostile = true">')
    assert page.evaluate("() => window.hostile") is None


@pytest.mark.long
def test_new_control_of_an_algorithm_is_marked_and_scrolled_into_view(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server.url}?instance=burma14&algorithm=held-karp#lesson=gaps-and-bounds&step=6")
    step(page, 6, "A better upper bound")
    page.wait_for_function(MARKED)
    page.evaluate("() => window.dash_clientside.set_props('algorithm', { value: 'two-opt' })")
    field = page.locator(".field[data-lesson-mark]", has=page.get_by_role("spinbutton", name="Climbers"))
    expect(field).to_be_in_viewport(ratio=0.9)
    inside = """field => {
        const [own, form] = [field, field.closest('.settings')].map((each) => each.getBoundingClientRect());
        return own.top >= form.top && own.bottom <= form.bottom;
    }"""
    page.wait_for_function(inside, arg=field.element_handle())
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    page.wait_for_function(MARKED)
    expect(panel(page).locator("h3")).to_be_in_viewport()
