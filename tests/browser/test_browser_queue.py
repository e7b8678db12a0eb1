"""A run that waits for a place: told so, cancelled, and followed as soon as it begins."""

import pytest
from serving import start_server, stop_server
from visiting import visiting
from watching import link, opened, said, started, state_of, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = start_server(tmp_path_factory.mktemp("home"), options=("--max-runs", "1"))
    yield running
    stop_server(running)


def test_a_run_waits_is_told_its_place_and_begins_by_itself(page, context, server):
    opened(page, link(server, "pr1002", climbers=1_000_000))
    started(page)
    with visiting(context, server) as other, visiting(context, server) as third:
        for view in (other, third):
            opened(view, link(server, "berlin52", climbers=50))
            view.click("#start")
            wait_state(view, "queued")
        said(other, "run-state", "the next to start")
        said(third, "run-state", "behind 1 other run")
        assert third.is_visible("#run-cancel")
        assert not third.is_visible("#run-pause")
        assert not third.is_visible("#start")
        other.click("#run-cancel")
        wait_state(other, "cancelled")
        said(third, "run-state", "the next to start")
        assert state_of(page) == "running"
        page.click("#run-cancel")
        wait_state(third, "finished")
        third.wait_for_function("() => window.TourScope.player.shown()")
