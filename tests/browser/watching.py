"""Shared steps for the Watch page: open it, start a run, wait for a state or a position of the player."""

import re
import time
from collections.abc import Callable
from urllib.parse import urlencode

from serving import PATIENCE

DRAWN = "() => window.TourScope?.tour?.painted().cities > 0"
#: Whether the tile shows a length, whatever stands between its thousands.
BEST = "length => document.getElementById('tile-best').textContent.replace(/\\D/g, '') === String(length)"
#: Where a city is on the screen.
CITY = """c => {
    const { tour, onCanvas } = window.TourScope;
    const box = document.getElementById('tour').getBoundingClientRect();
    const { x, y } = onCanvas(tour.map().xy, tour.place(), c);
    return [box.x + x, box.y + y];
}"""
#: The tour's polyline as the browser shows it: n + 1 points.
POINTS = "() => window.TourScope.tour.painted().points"


def link(server, instance: str, algorithm: str = "two-opt", **fields) -> str:
    query = {"v": 1, "instance": instance, "algorithm": algorithm, "seed": 1, "device": "auto", **fields}
    return server.url + "?" + urlencode(query)


def open_form(page, address: str):
    page.goto(address)
    page.wait_for_function(DRAWN)
    return page


def open_save_menu(page) -> None:
    """Open the Save menu."""
    page.evaluate("() => { document.getElementById('save-menu').open = true; }")


def open_address(page, address: str) -> None:
    """Go to an address on a loaded Watch page and wait until it has filled the form."""
    page.evaluate("() => { document.getElementById('save-menu').open = false; }")
    output = "address => { history.pushState(null, '', address); window.dispatchEvent(new PopStateEvent('popstate')); }"
    with page.expect_response(lambda answer: '"address.data"' in (answer.request.post_data or "")):
        page.evaluate(output, address)
    page.wait_for_selector("#start:enabled", state="attached")  # beside a run it is hidden


def start_run(page) -> str:
    """Press Start, and wait until the run is known and its tour is on the canvas; return the run's id."""
    before = page.evaluate("() => window.TourScope.run.id")
    page.click("#start")
    is_new = "before => (({ run, player }) => run.id && run.id !== before && player.shown())(window.TourScope)"
    page.wait_for_function(is_new, arg=before)
    wait_known(page)
    return page.evaluate("() => window.TourScope.run.id")


def wait_known(page) -> None:
    """Wait until Dash knows the run, after its first picture; from then on it can be paused, and the address contains
    it."""
    page.wait_for_function("() => window.location.search.includes(window.TourScope.run.id)")


def wait_for_text(page, element: str, pattern: str) -> str:
    """Wait until the text of an element matches a pattern, as texts change a few times a second; return the text."""
    text = "id => document.getElementById(id)?.textContent || ''"
    like = f"([id, pattern]) => new RegExp(pattern, 'u').test(({text})(id))"
    page.wait_for_function(like, arg=[element, pattern])
    return page.evaluate(text, element)


def read_state(page) -> str:
    return page.evaluate("() => document.body.dataset.runState")


def wait_state(page, *states: str) -> None:
    page.wait_for_function("states => states.includes(document.body.dataset.runState)", arg=list(states))


def position(page) -> list[int]:
    return page.evaluate("() => [window.TourScope.player.state.climb, window.TourScope.player.state.position]")


def at(page, climb: int, move: int) -> None:
    """Wait until the player is at this position and the line above the tour shows it."""
    page.wait_for_function(
        """([climb, move]) => {
            const { state, isLoading } = window.TourScope.player;
            const where = document.getElementById('hud-where').textContent.replace(/\\D+/g, ' ').trim().split(' ');
            const shown = Number(where[0]) === climb + 1 && where.slice(1).includes(String(move));
            return shown && !isLoading() && state.climb === climb && state.position === move;
        }""",
        arg=[climb, move],
    )


def wait_until_settled(page, script: str):
    """The value of a script, once it has stayed the same for a second."""
    return page.evaluate(
        f"""() => new Promise((done) => {{
            let [value, since] = ["", 0];
            (function look(now) {{
                const found = ({script})();
                if (JSON.stringify(found) !== value) [value, since] = [JSON.stringify(found), now];
                if (now - since > 1000) done(found);
                else requestAnimationFrame(look);
            }})(performance.now());
        }})"""
    )


def drawn_twice(page) -> None:
    """Wait until the browser has drawn two frames, and thus has done all pending work."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


class Held:
    """Requests of a page that are held back until they are let go.

    Parameters
    ----------
    page : playwright.sync_api.Page
    address : str
        A regular expression that their addresses have in them.
    which : callable
        Whether a request of such an address is held.
    """

    def __init__(self, page, address: str, which: Callable = lambda request: True) -> None:
        self._page, self._which = page, which
        self.routes: list = []
        page.route(re.compile(address), self._take)

    def _take(self, route) -> None:
        if self._which(route.request):
            self.routes.append(route)
        else:
            route.continue_()

    def wait(self, enough: Callable = bool) -> None:
        """Wait until the browser has sent the requests; `enough` receives the held routes."""
        until = time.monotonic() + PATIENCE / 1000
        while not enough(self.routes):
            assert time.monotonic() < until, "the page does not ask"
            drawn_twice(self._page)

    def let_go(self) -> None:
        """Pass all held requests on, and later ones at once."""
        self._which = lambda request: False
        for route in self.routes:
            route.continue_()

    def refuse(self) -> None:
        """Answer every request like a server of another release, and pass later requests on."""
        self._which = lambda request: False
        for route in self.routes:
            route.fulfill(status=400, body="no")


def choose(page, name: str) -> None:
    """Select a view or curve by name."""
    page.locator("label:visible").get_by_text(name, exact=True).click()
    page.wait_for_function(
        "name => [...document.querySelectorAll('input:checked')].some((each) => each.labels[0]?.textContent === name)",
        arg=name,
    )
