"""The server's options: shared, with a class, one run at a time, a custom panel and a user's own solver."""

import re

import pytest
from chromium import MODULES
from playwright.sync_api import expect
from serving import PATIENCE, ROOT, start_server, stop_server
from watching import BEST, DRAWN, at, link, open_address, open_form, start_run, wait_for_text, wait_state

from tests.clock import wait_until
from tests.solvers.user_files.mine import changed_template

DOCS = ROOT / "docs" / "panels.md"
pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
ACT = """async asked => {
    const body = await (await fetch("library/actions", { method: "POST", body: JSON.stringify(asked) })).json();
    return body.sentence || body.says;
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of the user's solver."""
    return tmp_path_factory.mktemp("mine")


@pytest.fixture(scope="module")
def server(tmp_path_factory, folder):
    """One server for all tests, because starting a server takes seconds."""
    [panel] = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    (folder / "pace.py").write_text(panel)
    options = ("--share", "--max-runs", "1", "--panel", "pace", "--solver", str(changed_template(folder)))
    running = start_server(tmp_path_factory.mktemp("home"), options=options, PYTHONPATH=str(folder))
    yield running
    stop_server(running)


#: The place of the city that is the second answer to a question to the class.
SECOND = """() => {
    const { tour, onCanvas } = window.TourScope;
    const box = document.getElementById('tour').getBoundingClientRect();
    const { x, y } = onCanvas(tour.map().xy, tour.place(), tour.named()[1]);
    return [box.x + x, box.y + y];
}"""


def visitor(chromium, server, query: str, address: str = ""):
    """A page of a new visitor in a separate browser; optionally at an address."""
    context = chromium.new_context(viewport={"width": 1440, "height": 860}, reduced_motion="reduce")
    context.add_init_script(path=MODULES)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    if address:
        context.request.get(server.url + query)  # leaves what lets them in
        open_form(page, address)
    else:
        page.goto(server.url + query)
        page.wait_for_url(server.url)
    return page


@pytest.fixture(scope="module")
def class_pages(chromium, server):
    """The pages of the host, of Anne, who joins by the link on the host's page, and of Bert."""
    host = visitor(chromium, server, server.host)
    host.click("header a[href$='/class/']")
    expect(host.locator(".class-link")).to_have_text(server.url + server.join)
    assert "Only this computer" in host.inner_text(".class-warning:visible")
    assert host.inner_text("#joined").startswith("0 visitors")
    anne = visitor(chromium, server, host.inner_text(".class-link").removeprefix(server.url))
    anne.wait_for_selector("header nav")
    assert not anne.locator("header a[href$='/class/']").count()
    wait_for_text(host, "joined", "1 visitor has joined")
    yield host, anne, lambda address: visitor(chromium, server, server.join, address)
    for context in chromium.contexts:
        context.close()


def test_watched_run_occupies_a_place_and_ends_by_its_owner_or_the_host(class_pages, server):
    host, anne, come_in = class_pages
    open_address(anne, link(server, "kroA200", climbers=1_000_000, variant="sequential", **{"budget.seconds": 600}))
    run = start_run(anne)
    wait_state(anne, "running")
    assert anne.is_visible("#run-cancel")
    assert not anne.is_visible("#start")
    anne.click("#run-pause")
    wait_state(anne, "paused")

    bert = come_in(f"{server.url}?run={run}")
    wait_for_text(bert, "run-state", "Another visitor’s run")
    assert bert.is_visible("#start")  # for a run of one's own
    assert not any(bert.is_visible(f"#run-{what}") for what in ("cancel", "pause", "resume", "step"))
    for what in ({"do": "rename", "name": "mine"}, {"do": "tag", "add": ["mine"]}, {"do": "delete"}):
        answer = bert.evaluate(ACT, {**what, "keys": [f"run:{run}"]})
        assert answer.startswith("This run is another visitor's: only they and the host")
    bert.evaluate("() => document.getElementById('run-cancel').click()")  # as a script might
    wait_for_text(bert, "start-note", "another visitor's")

    open_address(bert, link(server, "burma14", climbers=20))
    bert.click("#start")
    wait_state(bert, "queued")  # the run that is paused keeps its place
    wait_for_text(bert, "waiting-sentence", "Next in the queue")
    assert bert.is_visible("#run-cancel")
    assert not bert.is_visible("#run-pause")
    assert not bert.is_visible("#start")
    open_form(host, f"{server.url}?run={run}")
    wait_state(host, "paused")
    host.click("#run-cancel")
    wait_state(anne, "cancelled")
    wait_state(bert, "finished")
    bert.wait_for_function("() => window.TourScope.player.shown()")
    assert wait_for_text(bert, "pace-text", r"^0\.00 % above the optimum since [0-9.]+ s\.$")  # the panel of one's own
    bert.wait_for_function(BEST, arg=3323)
    delete = {"do": "delete", "keys": [f"run:{run}"]}
    wait_until(lambda: anne.evaluate(ACT, delete) == "1 run deleted.")  # its worker may still be busy with the end
    bert.context.close()


@pytest.mark.long
def test_host_leads_and_another_browser_follows_leaves_and_returns(class_pages, server):
    host, guest, _ = class_pages
    open_form(host, link(server, "berlin52", climbers=5))
    run = start_run(host)
    wait_state(host, "finished")
    host.evaluate("() => document.activeElement.blur()")
    host.evaluate("() => window.TourScope.player.playClimb(1, false)")
    at(host, 1, 0)
    for move in (1, 2):
        host.keyboard.press("ArrowRight")
        at(host, 1, move)

    assert not guest.locator("#lead").count()
    host.focus("#lead")
    host.keyboard.press("Enter")
    wait_for_text(host, "lecture", "You lead: .*1 screen is following")
    wait_for_text(guest, "lecture", "You see what the lecturer shows")
    guest.wait_for_function("run => window.TourScope.run.id === run", arg=run)
    at(guest, 1, 2)
    host.evaluate("() => document.activeElement.blur()")
    host.keyboard.press("ArrowRight")
    at(guest, 1, 3)

    guest.evaluate("() => document.activeElement.blur()")
    guest.keyboard.press("ArrowLeft")  # who works the player looks around on their own
    at(guest, 1, 2)
    wait_for_text(guest, "lecture", "You are exploring on your own")
    wait_for_text(host, "lecture", "0 screens are following")
    host.keyboard.press("ArrowDown")
    at(host, 2, 0)
    guest.reload()
    wait_for_text(guest, "lecture", "You are exploring on your own")
    guest.wait_for_function(DRAWN)
    at(guest, 1, 2)
    guest.focus("#lecture-act")
    guest.keyboard.press("Enter")
    wait_for_text(guest, "lecture", "You see what the lecturer shows")
    at(guest, 2, 0)

    open_address(host, link(server, "berlin52", "ant-system", iterations=50))  # the page leads on
    ants = start_run(host)
    guest.wait_for_function("run => window.TourScope.run.id === run", arg=ants)
    wait_state(host, "finished")
    host.click("#view label:has-text('Pheromone')")
    host.wait_for_selector(".stage[data-view=pheromone]")
    host.keyboard.press("End")
    visible = "() => [document.querySelector('.stage').dataset.view, window.TourScope.player.state.climb].join()"
    last = host.evaluate("() => `pheromone,${window.TourScope.run.known - 1}`")
    for page in (host, guest):
        page.wait_for_function(f"last => ({visible})() === last", arg=last)
    assert guest.locator("#view input:checked").input_value() == "pheromone"

    host.click("#lecture-act")
    wait_for_text(guest, "lecture", "The lecture is over")
    assert not host.is_visible("#lecture-act")
    places = []
    host.on("request", lambda request: places.append(request) if request.url.endswith("class/lead") else None)
    host.keyboard.press("Home")
    host.wait_for_function(f"() => ({visible})() === 'pheromone,0'")
    assert (places, guest.evaluate(visible)) == ([], last)
    guest.click("#lecture-act")
    guest.wait_for_function("() => document.documentElement.dataset.lecture === 'none'")

    guest.click("header a[href$='/class/runs']")
    wait_for_text(guest, "class-rows", "Hostberlin52")
    for page, who in ((guest, "Host"), (host, "You")):
        page.goto(f"{server.url}class/runs")
        wait_for_text(page, "class-rows", f"{who}berlin52Ant System")
    guest.select_option("#class-instance", "berlin52")
    guest.wait_for_function("() => document.querySelectorAll('#class-rows tr').length === 2")
    with guest.expect_download() as saved:
        guest.click("a[download]")
    assert saved.value.path().read_text().count("berlin52") == 2


@pytest.mark.long
def test_host_asks_two_visitors_answer_and_the_right_answer_is_shown(class_pages, server):
    host, anne, come_in = class_pages
    open_form(anne, link(server, "burma14", climbers=3))
    own = start_run(anne)
    wait_state(anne, "finished")
    anne.fill("#nickname", " <Anne> ")
    anne.press("#nickname", "Enter")
    anne.wait_for_selector(".lecture-name", state="hidden")
    anne.goto(f"{server.url}learn/")

    open_form(host, link(server, "berlin52", "nearest-neighbour"))
    run = start_run(host)
    wait_state(host, "finished")
    host.evaluate("() => window.TourScope.player.playClimb(0, false)")
    at(host, 0, 0)
    host.click("#predict-on")
    host.click("#predict-class")
    expect(host.locator(".question-total")).to_have_text("0 answers", timeout=PATIENCE)
    bert = come_in(f"{server.url}?run={run}&lang=de")  # late
    for page, asks in ((anne, "Which city next?"), (bert, "Welche Stadt kommt als nächste?")):
        expect(page.locator("button.question-answer")).to_have_count(4)
        assert asks in page.inner_text(".question-text")
        assert not page.locator(".question-count").count()
        assert not page.locator(".question-acts button").count()
    anne.locator("button.question-answer").nth(0).click()
    bert.wait_for_function("() => window.TourScope.tour.named().length === 4")
    bert.mouse.click(*bert.evaluate(SECOND))
    expect(bert.locator(".question-sentence")).to_contain_text("B ist gewählt", timeout=PATIENCE)
    expect(host.locator(".question-total")).to_have_text("2 answers", timeout=PATIENCE)
    assert host.locator(".question-count").all_inner_texts() == ["1", "1", "0", "0"]
    anne.reload()
    expect(anne.locator("button.question-answer[aria-pressed=true] .question-letter")).to_have_text(
        "A", timeout=PATIENCE
    )
    anne.locator("button.question-answer").nth(1).click()  # instead
    expect(host.locator(".question-count").nth(1)).to_have_text("2", timeout=PATIENCE)

    host.reload()
    host.click(".question-acts button:has-text('Close')")
    expect(anne.locator(".question-sentence")).to_contain_text("is closed", timeout=PATIENCE)
    host.click(".question-acts button:has-text('Show the right answer')")
    for page in (anne, bert, host):
        expect(page.locator(".question-answer[data-right=true]")).to_have_count(1, timeout=PATIENCE)
        assert page.locator(".question-count").all_inner_texts() == ["0", "2", "0", "0"]
    assert anne.locator(".question-answer[data-own=true] .question-letter").inner_text() == "B"
    host.click(".question-acts button:has-text('Done')")
    anne.wait_for_selector(".question", state="hidden")
    bert.context.close()

    host.goto(f"{server.url}class/runs")
    wait_for_text(host, "class-rows", "Anneburma14")
    assert host.locator(f"[data-run='{own}']").count() == 1
    host.click(".class-unname")
    wait_for_text(host, "class-rows", "Visitor [0-9]+burma14")
    anne.wait_for_selector(".lecture-name", state="visible")


def run_mine(page, state: str) -> None:
    """Press Start and wait for the end of the run."""
    before = page.url
    start = page.get_by_role("button", name="Start", exact=True)
    expect(start).to_be_enabled(timeout=PATIENCE)
    start.click()
    page.wait_for_function("before => location.href !== before && /run=/.test(location.search)", arg=before)
    expect(page.locator("#run-state")).to_contain_text(state, timeout=PATIENCE)


def test_own_solver_is_chosen_run_edited_and_rerun(chromium, server, folder):
    page = visitor(chromium, server, server.host, f"{server.url}?instance=burma14")
    page.click("#algorithm")
    expect(page.get_by_text("Your solver", exact=True)).to_be_visible(timeout=PATIENCE)
    page.get_by_text("My solver", exact=True).click()
    expect(page.get_by_label("2-opt", exact=True)).to_be_visible(timeout=PATIENCE)
    run_mine(page, "Finished")
    expect(page.locator("#hud-run")).to_have_text("My solver, own · burma14 · seed 1", timeout=PATIENCE)
    page.wait_for_function("() => /of [1-9]/.test(document.querySelector('#page').innerText)", timeout=PATIENCE)
    changed_template(folder, ("climb.end(evaluations)", "climb.end(nothing)"))
    run_mine(page, "mine.py, line 55: NameError: name 'nothing' is not defined.")
    changed_template(folder)
    run_mine(page, "Finished")
