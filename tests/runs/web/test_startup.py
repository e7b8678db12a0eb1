"""The services are built while the server already responds."""

import sys
import threading

import pytest

from runs.web.startup import Startup


def test_result_of_the_thread_is_available_after_waiting():
    threads, answer = [], []
    making = Startup(
        lambda: threads.append(threading.current_thread()) or ("service",), lambda: answer.append(making.services)
    )
    usual = sys.getswitchinterval()
    making.start()
    making.wait()
    assert making.services == ("service",)
    assert answer == [("service",)]
    assert threads[0] is not threading.main_thread()
    assert sys.getswitchinterval() == usual
    making.raise_failure()


def test_failure_in_the_thread_is_raised_at_the_programs_end():
    def fail():
        sys.exit("The folder cannot be used.")

    failed, answer = [], []
    making = Startup(fail, lambda: answer.append(True))
    making.on_failure = lambda: failed.append(True)
    making.start()
    making.wait()
    assert (making.services, failed, answer) == ((), [True], [])
    with pytest.raises(SystemExit, match="cannot be used"):
        making.raise_failure()


def test_unstarted_work_is_not_awaited():
    making = Startup(lambda: ("service",), lambda: None)
    making.wait()
    making.build_now()
    assert making.services == ("service",)
