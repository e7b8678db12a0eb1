"""Background measurements by a server: sequential, never during a run, cancelled, refused, stored."""

import json
import os
import sys
from pathlib import Path

import pytest

from papers import results
from papers.catalogue import NoSuchEntry
from papers.results import MeasuredTable, Result
from runs.paper_jobs import service
from runs.paper_jobs.process import format_command
from runs.paper_jobs.service import CannotMeasure, PaperJobs
from tests.clock import wait_until

CPU = {"kind": "cpu", "name": "Some CPU", "available": True, "reason": ""}
NO_GPU = {"kind": "cuda", "name": "CUDA", "available": False, "reason": "No CUDA device: none was found."}
TABLE, OTHER, GPU_ONLY = "uchida/table-ii", "uchida/table-iii", "uchida/figure-8"


class Machine:
    """A run service and a study service with scripted status."""

    def __init__(self):
        self.runs, self.busy, self.devices, self.spare = 0, False, [CPU, NO_GPU], "ready"

    def status(self):
        return {"devices": self.devices, "spare": self.spare, "runs": self.runs}


def make_result(entry, quick=False, device="cpu"):
    measured = MeasuredTable("Instance", ("CPU",), ("ms",), {"d198": ([9.0, 7.0],)})
    return Result(entry, measured, device, quick, 0.5, {"cpu": "Some CPU", "threads": 2, "date": "2026-11-23"})


@pytest.fixture
def machine():
    return Machine()


@pytest.fixture
def jobs(machine, tmp_path):
    result = PaperJobs(machine, machine, tmp_path / "papers")
    yield result
    result.close()


@pytest.fixture
def program(monkeypatch, tmp_path):
    """The Python program started in place of the command; records its arguments."""

    class Program:
        def __init__(self):
            self.code, self.told = "", []

        def line(self, entry, device, quick, output):
            self.told.append((entry, device, quick))
            written = json.dumps(make_result(entry, quick).to_json())
            code = self.code or f"import pathlib; pathlib.Path({str(output)!r}).write_text({written!r})"
            return [sys.executable, "-S", "-c", code]

    result = Program()
    monkeypatch.setattr(service, "format_command", result.line)
    return result


def waits_until_killed(tmp_path) -> str:
    """A program that writes its id to a file and never ends."""
    return (
        f"import os, time; f = open({str(tmp_path / 'pid')!r}, 'w'); f.write(str(os.getpid())); f.close()\n"
        "while True: time.sleep(1)"
    )


def alive(tmp_path) -> bool:
    try:
        os.kill(int((tmp_path / "pid").read_text()), 0)
    except ProcessLookupError:
        return False
    return True


def has_begun(tmp_path) -> bool:
    path = tmp_path / "pid"
    return path.exists() and path.read_text() != ""


def test_entry_is_measured_and_stored_for_later_servers(jobs, program, tmp_path):
    jobs.add(TABLE, quick=True)
    wait_until(lambda: not jobs.jobs())
    assert program.told == [(TABLE, "cpu", True)]
    assert jobs.results(TABLE)["cpu"].measured.figure("d198", "CPU") == 8.0
    assert results.load(TABLE, tmp_path / "papers")["cpu"].quick


def test_entries_are_measured_one_after_another(jobs, program, tmp_path):
    program.code = waits_until_killed(tmp_path)
    jobs.add(TABLE, quick=False)
    jobs.add(OTHER, quick=True)
    jobs.add(OTHER, quick=True)
    wait_until(lambda: has_begun(tmp_path) and jobs.jobs()[TABLE].seconds > 0)
    states = {name: (job.state, job.before, job.quick) for name, job in jobs.jobs().items()}
    assert states == {TABLE: ("measuring", 0, False), OTHER: ("queued", 1, True)}
    jobs.cancel(OTHER)
    assert list(jobs.jobs()) == [TABLE]
    jobs.cancel(TABLE)
    assert jobs.jobs() == {}
    wait_until(lambda: not alive(tmp_path))
    assert [entry for entry, *_ in program.told] == [TABLE]


@pytest.mark.parametrize(("name", "value"), [("runs", 1), ("busy", True), ("spare", "starting")])
def test_measurement_waits_for_a_free_machine(jobs, machine, program, name, value):
    free = getattr(machine, name)
    setattr(machine, name, value)
    jobs.add(TABLE, quick=False)
    wait_until(lambda: jobs._thread is not None and jobs.jobs()[TABLE].state == "waiting")
    assert program.told == []
    setattr(machine, name, free)
    wait_until(lambda: not jobs.jobs())
    assert len(program.told) == 1


def test_started_run_has_precedence(jobs, machine, program, tmp_path):
    program.code = waits_until_killed(tmp_path)
    jobs.add(TABLE, quick=False)
    wait_until(lambda: has_begun(tmp_path))
    machine.runs = 1
    wait_until(lambda: jobs.jobs()[TABLE].state == "waiting" and not alive(tmp_path))
    program.code, machine.runs = "", 0
    wait_until(lambda: not jobs.jobs())
    assert len(program.told) == 2
    assert jobs.results(TABLE)


def test_failure_is_one_sentence_until_cancelled_or_retried(jobs, program):
    program.code = "raise SystemExit('No CUDA device: gone.')"
    jobs.add(TABLE, quick=False)
    wait_until(lambda: jobs.jobs()[TABLE].state == "failed")
    assert jobs.jobs()[TABLE].sentence.startswith("The measurement stopped because of an error")
    program.code = "import sys; print('No CUDA device: gone.', file=sys.stderr); sys.exit(2)"
    jobs.add(TABLE, quick=False)
    wait_until(lambda: jobs.jobs()[TABLE].sentence == "No CUDA device: gone.")
    jobs.cancel(TABLE)
    assert jobs.jobs() == {}
    assert not jobs.results(TABLE)


def test_invalid_result_is_a_failure(jobs, program):
    program.code = "pass"
    jobs.add(TABLE, quick=False)
    wait_until(lambda: jobs.jobs()[TABLE].state == "failed")


def test_missing_gpu_is_refused_with_the_reason(jobs, machine, program, tmp_path):
    program.code = waits_until_killed(tmp_path)
    with pytest.raises(CannotMeasure, match=r"^Only a GPU can measure this\. No CUDA device: none was found\.$"):
        jobs.add(GPU_ONLY, quick=False)
    machine.devices = [CPU, {**NO_GPU, "available": True}]
    jobs.add(GPU_ONLY, quick=False)
    assert GPU_ONLY in jobs.jobs()
    with pytest.raises(NoSuchEntry):
        jobs.add("uchida/table-x", quick=False)


def test_gpu_may_be_detected_later(jobs, machine, program):
    machine.devices, machine.spare = None, "starting"
    jobs.add(GPU_ONLY, quick=False)
    jobs.add(TABLE, quick=False)
    machine.devices, machine.spare = [CPU, NO_GPU], "ready"
    wait_until(lambda: [*jobs.jobs()] == [GPU_ONLY])
    assert jobs.jobs()[GPU_ONLY].sentence.startswith("Only a GPU can measure this.")
    assert program.told == [(TABLE, "cpu", False)]


def test_short_form_does_not_replace_a_result(jobs, tmp_path):
    results.save(make_result(TABLE), tmp_path / "papers")
    with pytest.raises(CannotMeasure, match="in full"):
        jobs.add(TABLE, quick=True)


def test_measuring_ends_with_the_server(jobs, program, tmp_path):
    program.code = waits_until_killed(tmp_path)
    jobs.add(TABLE, quick=False)
    wait_until(lambda: has_begun(tmp_path))
    jobs.close()
    assert not alive(tmp_path)


def test_command_matches_the_command_line():
    line = format_command(TABLE, "cpu", True, Path("result.json"))
    assert line[1:] == [
        "-m",
        "papers.background",
        "measure",
        TABLE,
        "--device",
        "cpu",
        "--json",
        "result.json",
        "--quick",
    ]
