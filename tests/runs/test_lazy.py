"""A lazy service is created once, at its first use or after a delay, and is closed only if it was created."""

import threading

from runs.lazy import Lazy


class Service:
    """Records that it was closed."""

    closed = False

    def close(self) -> None:
        self.closed = True


def test_service_is_made_once_for_all_threads():
    created_items, all_here = [], threading.Barrier(8)

    def make() -> Service:
        created_items.append(Service())
        return created_items[-1]

    late, got = Lazy(make), []

    def ask() -> None:
        all_here.wait()
        got.append(late())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(created_items) == 1
    assert set(got) == set(created_items)
    late.close()
    assert created_items[0].closed


def test_unused_service_is_not_made_for_closing():
    created_items = []
    Lazy(lambda: created_items.append(Service()) or created_items[-1]).close()
    assert created_items == []


def test_service_is_made_after_its_deadline():
    there = threading.Event()

    def make() -> Service:
        there.set()
        return Service()

    late = Lazy(make, within=0.01)
    assert there.wait(60)
    late.close()
    assert late().closed


def test_nothing_is_made_after_closing():
    created_items = []
    late = Lazy(lambda: created_items.append(Service()) or created_items[-1], within=3600)
    late.close()
    late._make_at_deadline()
    assert created_items == []
