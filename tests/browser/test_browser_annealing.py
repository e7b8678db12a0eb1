"""A chain of annealing on the page: its moves are walked up hill as well, and every length is that of its tour."""

import numpy as np
import pytest
from watching import BEST, link, opened, started, wait_state

from data.collection.resolve import load
from data.distances import tour_length

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

#: A climb's changes of length, and tours and lengths at some positions of it: whatever moves lead there.
WALKED = """async () => {
    const climb = await TourScope.climbs.get(0);
    const at = [];
    for (let k = 0; k <= climb.count; k += 997) at.push(k);
    at.push(climb.count, climb.count >> 1, climb.delta.findIndex((change) => change > 0) + 1, 0);
    return [[...climb.delta], at.map((k) => [[...climb.seek(k)], climb.lengths[k]])];
}"""


@pytest.mark.long
def test_a_chain_is_walked_up_hill_and_down(page, server):
    opened(page, link(server, "kroA100", "simulated-annealing", chains=2, moves_per_city=50))
    started(page)
    wait_state(page, "finished")
    changes, walked = page.evaluate(WALKED)
    assert sum(change > 0 for change in changes) > 100
    instance = load("kroA100")
    assert len(walked) > 10
    for order, length in walked:
        assert tour_length(instance, np.array(order)) == length
    best = page.evaluate("() => TourScope.run.best.length")
    page.wait_for_function(BEST, arg=best)
    assert best <= walked[-4][1] == min(length for _, length in walked)
