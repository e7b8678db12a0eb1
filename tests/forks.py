"""Tests side by side in forks of the process that has collected them: a plugin of pytest for Linux, ``--forks COUNT``.

With pytest-xdist each process imports and collects all tests. Here a fork takes the next file until none is left, the
most expensive one of the budget first, and sends its reports.
"""

import atexit
import json
import os
import selectors
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from typing import Any, NoReturn

import pytest

from tests.processor_seconds import BUDGET


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--forks", metavar="COUNT", help="processes of tests, or auto for one per core")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests in forks, if there is something to run, and repeat their reports here."""
    count = session.config.getoption("forks")
    if not count or session.testsfailed or session.config.option.collectonly:
        return None
    seconds = json.loads(BUDGET.read_text())["files"]
    files = [list(items) for _, items in groupby(session.items, key=lambda item: item.path)]
    files.sort(key=lambda items: -seconds.get(items[0].nodeid.partition("::")[0], 0.0))
    numbers, end = os.pipe()
    os.write(end, b"".join(number.to_bytes(2, "big") for number in range(len(files))))
    os.close(end)
    sys.stdout.flush()
    processes: dict[int, int] = {}  # the end of a pipe of reports -> process
    for _ in range(len(os.sched_getaffinity(0)) if count == "auto" else int(count)):
        reports, end = os.pipe()
        if not (pid := os.fork()):
            _work(session.config, files, numbers, end)
        os.close(end)
        processes[reports] = pid
    begun: dict[int, str] = {}
    for pipe, line in _lines(processes):
        if isinstance(data := json.loads(line), str):
            begun[pipe] = data
            continue
        report = session.config.hook.pytest_report_from_serializable(config=session.config, data=data)
        session.config.hook.pytest_runtest_logreport(report=report)
        if report.when == "teardown":
            session.config.hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)
    for pipe, pid in processes.items():
        if status := os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
            session.testsfailed += 1
            print(f"\nA process of tests ended with status {status} in {begun.get(pipe)}.", flush=True)
    return True


def _lines(processes: dict[int, int]) -> Iterator[tuple[int, bytes]]:
    """The lines that come from the pipes of some processes, each with its pipe, until all processes have ended.

    What a test started may hold the other end of a pipe for longer.
    """
    selector, rest = selectors.DefaultSelector(), dict.fromkeys(processes, b"")
    for pipe, pid in processes.items():
        os.set_blocking(pipe, False)
        selector.register(pipe, selectors.EVENT_READ, pipe)
        selector.register(os.pidfd_open(pid), selectors.EVENT_READ, pipe)
    while selector.get_map():
        for key, _ in selector.select():
            with suppress(BlockingIOError):
                while chunk := os.read(key.data, 1 << 16):
                    *whole, rest[key.data] = (rest[key.data] + chunk).split(b"\n")
                    yield from ((key.data, line) for line in whole)
                selector.unregister(key.fd)  # its other end is closed
                continue
            if key.fd != key.data:  # the process has ended
                selector.unregister(key.fd)
                selector.unregister(key.data)


class _Sender:
    """Sends the name of each test that begins in a fork, and its reports."""

    def __init__(self, config: pytest.Config, pipe: int) -> None:
        self._config, self._file = config, os.fdopen(pipe, "wb")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._send(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._send(self._config.hook.pytest_report_to_serializable(config=self._config, report=report))

    def _send(self, value: Any) -> None:
        self._file.write(json.dumps(value).encode() + b"\n")
        self._file.flush()


def _work(config: pytest.Config, files: list[list[pytest.Item]], numbers: int, pipe: int) -> NoReturn:
    """Run the tests of one file after the other, then end this fork."""
    status = 1
    try:
        plugins: Any = config.pluginmanager
        plugins.unregister(plugins.getplugin("terminalreporter"))
        capture = plugins.getplugin("capturemanager")
        capture.stop_global_capturing()  # whose files the forks would share
        capture.start_global_capturing()
        capture.suspend_global_capture()
        plugins.register(_Sender(config, pipe))

        def take() -> list[pytest.Item]:
            number = os.read(numbers, 2)
            return files[int.from_bytes(number, "big")] if number else []

        items = take()
        while items:
            following: list[pytest.Item] = []
            for item, after in zip(items, [*items[1:], None], strict=True):
                if after is None and (following := take()):
                    after = following[0]
                config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            items = following
        if seconds := plugins.getplugin("tests.processor_seconds"):
            seconds.pytest_sessionfinish()
        atexit._run_exitfuncs()
        status = 0
    except BaseException:  # noqa: BLE001 - the fork must not go on as its parent
        traceback.print_exc()
    os._exit(status)
