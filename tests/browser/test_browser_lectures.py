"""The host's page when a class joins, and a class that follows its lecturer from page to page."""

import pytest
from serving import start_server, stop_server
from test_browser_options import visitor
from watching import drawn_twice, link, open_form, start_run, wait_for_text, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(600)]

WHITE = "rgb(255, 255, 255)"
#: How far the page is taller than its window, and how far the player ends below the padding of its card.
BELOW = """() => {
    const [player, stage] = ['#player', '.stage'].map((each) => document.querySelector(each));
    const end = stage.getBoundingClientRect().bottom - parseFloat(getComputedStyle(stage).paddingBottom);
    const { bottom } = player.getBoundingClientRect();
    return [document.documentElement.scrollHeight - innerHeight, Math.max(0, Math.round(bottom - end) - 1)];
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = start_server(tmp_path_factory.mktemp("home"), options=("--share",))
    yield running
    stop_server(running)


@pytest.fixture(autouse=True)
def _close_other_pages(chromium):
    """Close the pages of earlier tests, because followers are counted."""
    yield
    for context in chromium.contexts:
        context.close()


def test_host_page_fits_and_its_code_is_dark_on_white_in_every_theme(chromium, server):
    host = visitor(chromium, server, server.host)
    host.clock.install()
    host.goto(f"{server.url}class/")
    for width in (1280, 390):
        host.set_viewport_size({"width": width, "height": 720})
        assert host.evaluate("() => document.documentElement.scrollWidth") == width
    for theme in ("light", "dark"):
        host.goto(f"{server.url}class/?theme={theme}")
        assert host.evaluate("() => getComputedStyle(document.querySelector('.class-code')).backgroundColor") == WHITE
    host.route("**/class/joined", lambda route: route.fulfill(status=403))  # as a server that has started anew
    host.clock.run_for(6000)
    wait_for_text(host, "outdated", "was restarted")
    assert host.is_visible("#outdated")


def test_low_window_shows_the_whole_player_below_each_view_of_ants(chromium, server):
    host = visitor(chromium, server, server.host)
    host.set_viewport_size({"width": 1280, "height": 720})
    open_form(host, link(server, "berlin52", "ant-system", iterations=5))
    start_run(host)
    wait_state(host, "finished")
    for is_led in (False, True):
        if is_led:
            host.click("#lead")
            wait_for_text(host, "lecture", "You lead")
        for view in ("tour", "pheromone", "trails", "ants"):
            host.evaluate("view => document.querySelector(`.views [value=${view}]`).click()", view)
            host.wait_for_selector(f".stage[data-view={view}]")
            drawn_twice(host)
            assert host.evaluate(BELOW) == [0, 0], (is_led, view)
    host.click("#lead")


def test_follower_moves_from_page_to_page(chromium, server):
    host = visitor(chromium, server, server.host)
    open_form(host, link(server, "berlin52", climbers=5))
    start_run(host)
    wait_state(host, "finished")
    host.click("#lead")
    wait_for_text(host, "lecture", "You lead")
    guest, other = (visitor(chromium, server, server.join) for _ in range(2))
    other.goto(f"{server.url}study/")  # who is at something else by themselves stays there
    wait_for_text(other, "lecture", "The lecturer is showing another page")
    wait_for_text(host, "lecture", "1 screen is following")

    host.goto(f"{server.url}race/?instance=berlin52&algorithms=two-opt,nearest-neighbour&seconds=1")
    host.wait_for_function("() => TourScope.race.instance")
    guest.wait_for_url("**/race/")
    host.get_by_role("button", name="Start the race").click()
    host.wait_for_function("() => TourScope.race.state === 'over'")
    race = host.evaluate("() => TourScope.race.id")
    guest.wait_for_function("id => TourScope.race.id === id && TourScope.race.state === 'over'", arg=race)
    whole = host.evaluate("() => TourScope.racePlayer.duration()")
    for second in (whole / 2, whole / 4):
        host.evaluate("at => TourScope.racePlayer.seek(at)", second)
        for page in (host, guest):
            page.wait_for_function("at => Math.abs(TourScope.racePlayer.state.clock - at) < 0.003", arg=second)
    guest.evaluate("() => document.activeElement.blur()")
    guest.keyboard.press("Home")
    wait_for_text(guest, "lecture", "You are exploring on your own")
    guest.wait_for_function("() => TourScope.racePlayer.state.clock === 0")
    guest.click("#lecture-act")
    guest.wait_for_function("at => Math.abs(TourScope.racePlayer.state.clock - at) < 0.003", arg=second)

    host.click("header nav a[href$='papers/']")
    guest.wait_for_url("**/papers/")
    wait_for_text(guest, "lecture", "You see what the lecturer shows")
    wait_for_text(host, "lecture", "You lead: .*1 screen is following")
    other.click("#lecture-link")
    other.wait_for_url("**/papers/")
    wait_for_text(host, "lecture", "2 screens are following")
    host.click("#lecture-act")
    wait_for_text(guest, "lecture", "The lecture is over")
