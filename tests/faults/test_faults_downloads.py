"""Clients that all request long computations, and clients that never read the answers: F23 and F24."""

import argparse
import json

import pytest

from tests.browser.serving import start_server, stop_server
from tests.faults.counts import SHARE
from tests.faults.figures import store_samples
from tests.faults.visits import ready
from tests.load.downloads import LIMITS, attack, make_home, routes

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.alone, pytest.mark.timeout(3600)]

#: How much slower a machine may be that has other work; memory has none of it.
PATIENCE = 4.0
SHORT = ("stops.json", "climbs/0.gif", "runs", "?watch-instance-note.children")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    make_home(folder)
    return folder


def attack_all(home, chosen, clients, silent):
    """Attack every route; return the exceeded limits."""
    server = start_server(home, 0, ["--max-runs", "4"])
    settings = argparse.Namespace(clients=clients, seconds=5.0, silent=silent)
    found = []
    try:
        ready(server)
        for method, path in chosen:
            row = attack(server, method, path, settings)
            for name in LIMITS:
                store_samples("F24" if silent else "F23", f"{row['route']}: {name}", [row[name]])
            found += [
                (row["route"], name, row[name])
                for name, most in LIMITS.items()
                if not row[name] <= most * (1 if name == "mb" else PATIENCE)
            ]
    finally:
        stop_server(server)
    return found


def test_f23_expensive_requests_delay_nobody(home):
    asked = list(routes(home, *json.loads((home / "asked.json").read_text())))
    assert len(asked) > 35
    assert not attack_all(home, [each for each in asked if SHARE or each[1].endswith(SHORT)], 45, silent=False)


def test_f24_client_that_reads_nothing_holds_no_memory(home):
    asked = routes(home, *json.loads((home / "asked.json").read_text()))
    chosen = [each for each in asked if each[1].startswith("instance?") and "1000000" in each[1]]
    assert not attack_all(home, chosen, 60, silent=True)
