"""A server under load: its viewers' experience, its resources, and whether both are within the limits."""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from benchmarks.machine import describe_machine
from tests.browser.serving import ROOT, start_server, stop_server
from tests.clock import waiting_seconds
from tests.faults.visits import forks, ready

MB = 1 << 20
#: Seconds that are measured, at the largest, and what the server may take.
SECONDS = {
    "head age p50": 0.05,
    "head age p95": 0.25,
    "head age p99": 1.0,
    "click p95": 0.3,
    "load p95": 1.5,
    "cancel max": 2.0,
}
MAX_MB, MAX_GROWTH = 260.0, 0.05
#: The share of the heads that viewers ask for; a server that is late leaves out some, and those that come are new.
MIN_HEADS = 0.8
#: Seconds after which the server has all that it keeps: its growth counts from then on.
SETTLED = 300.0


@dataclass(frozen=True)
class Settings:
    """The amount of load.

    Attributes
    ----------
    viewers, runs : int
    seconds : float
        Duration.
    every : float
        Minimum time in seconds between two heads of a viewer.
    """

    viewers: int = 100
    runs: int = 8
    seconds: float = 600.0
    every: float = 0.5


class Meter:
    """Looks at a server each second: its memory, files, threads, share of a core, for how much of that second its event
    loop waited for a core, and the memory of its workers.
    """

    def __init__(self, pid: int) -> None:
        self._process, self._stop = psutil.Process(pid), threading.Event()
        names = ("mb", "files", "threads", "server core", "server waited", "worker mb")
        self.samples: dict[str, list[float]] = {name: [] for name in names}
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "Meter":
        self._process.cpu_percent()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        before = waiting_seconds(self._process.pid)
        while not self._stop.wait(1):
            try:
                waited, before = before, waiting_seconds(self._process.pid)
                self.samples["server waited"].append(before - waited)
                self.samples["mb"].append(self._process.memory_info().rss / MB)
                self.samples["files"].append(self._process.num_fds())
                self.samples["threads"].append(self._process.num_threads())
                self.samples["server core"].append(self._process.cpu_percent() / 100)
                workers = [each.memory_info().rss / MB for each in self._process.children(recursive=True)]
                self.samples["worker mb"].append(max(workers, default=0.0))
            except psutil.NoSuchProcess:
                continue


def measure(home: Path, settings: Settings, program: Sequence[str] = ("app.py",)) -> dict[str, Any]:
    """Start a server, let the swarm come, and give all samples."""
    server = start_server(home, 0, ["--max-runs", str(settings.runs)], program)
    try:
        ready(server)
        idle = psutil.Process(server.process.pid).memory_info().rss / MB
        with Meter(server.process.pid) as meter:
            swarm = subprocess.run(
                [sys.executable, "-m", "tests.load.swarm"], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True,
                input=json.dumps({"url": server.url, **asdict(settings)}),
            )  # fmt: skip
        answer: dict[str, Any] = json.loads(swarm.stdout)
        errors = dict(answer["errors"])
        if server.process.poll() is not None:
            errors["the server ended"] = 1
        if faults := (home / "server.log").read_text().count("Traceback"):
            errors["faults in the log"] = faults
        return {
            "settings": asdict(settings), "errors": errors, "idle mb": idle, "workers left": len(forks(server)),
            "samples": {**answer["samples"], **meter.samples},
        }  # fmt: skip
    finally:
        stop_server(server)


def quantile(samples: Sequence[float], part: float) -> float:
    """The smallest sample that is not below this share of all samples; infinite if there are none."""
    found = sorted(samples)
    return found[min(len(found) - 1, int(part * len(found)))] if found else float("inf")


def figures(measured: dict[str, Any]) -> dict[str, float]:
    """Statistics of the samples, by name; times in seconds."""
    samples, answer = measured["samples"], {}
    for name in ("head age", "log age", "click", "load", "cancel", "lag"):
        answer |= {f"{name} p{percent}": quantile(samples[name], percent / 100) for percent in (50, 95, 99)}
        answer[f"{name} max"] = max(samples[name], default=float("inf"))
    memory = samples["mb"]
    settled = memory[int(SETTLED) :] if len(memory) > SETTLED + 60 else memory[len(memory) // 2 :]
    answer["server mb max"] = max(memory, default=float("inf"))
    answer["server growth"] = relative_growth(settled)
    for name in ("server core", "server waited", "swarm core", "swarm waited"):
        answer[name] = statistics.mean(samples[name]) if samples[name] else 0.0
    answer["server files max"] = max(samples["files"], default=0.0)
    answer["server threads max"] = max(samples["threads"], default=0.0)
    answer["worker mb max"] = max(samples["worker mb"], default=0.0)
    answer["heads"] = len(samples["head age"])
    asked = measured["settings"]
    answer["heads come"] = answer["heads"] * asked["every"] / (asked["viewers"] * asked["seconds"])
    return answer


def relative_growth(memory: Sequence[float]) -> float:
    """The relative growth: the median of the last sixth over that of the first sixth."""
    part = max(1, len(memory) // 6)
    return statistics.median(memory[-part:]) / statistics.median(memory[:part]) - 1 if memory else float("inf")


def exceeded_limits(measured: dict[str, Any], patience: float = 1.0) -> list[str]:
    """The exceeded limits.

    Parameters
    ----------
    measured : dict
        See `measure`.
    patience : float
        By how much slower the machine may be; memory and errors have none of it.
    """
    found, answer = [], figures(measured)
    for name, most in SECONDS.items():
        if not answer[name] <= most * patience:
            found.append(f"{name} is {answer[name]:.3f} s, at most {most * patience:.3f} s are wanted")
    if answer["heads come"] < MIN_HEADS / patience:
        found.append(f"heads come to {answer['heads come']:.0%} of those that are asked for")
    if answer["server mb max"] > MAX_MB:
        found.append(f"the server takes {answer['server mb max']:.0f} MB")
    if measured["settings"]["seconds"] > SETTLED and answer["server growth"] > MAX_GROWTH:
        found.append(f"the server has grown by {answer['server growth']:.1%}")
    return found + [f"{count} times: {what}" for what, count in measured["errors"].items()]


def by_minute(samples: dict[str, list[float]]) -> list[float]:
    """The median age of heads in each minute of the runs' clocks, which shows whether a server gets slower."""
    minutes: dict[int, list[float]] = {}
    for at, age in zip(samples["head at"], samples["head age"], strict=True):
        minutes.setdefault(int(at / 60), []).append(age)
    return [round(statistics.median(ages), 4) for _, ages in sorted(minutes.items())]


def stored_samples(measured: dict[str, Any]) -> dict[str, Any]:
    """The samples as stored: times as counts per millisecond, all others individually."""
    samples: dict[str, Any] = {"head age by minute": by_minute(measured["samples"])}
    for name, values in measured["samples"].items():
        if name == "head at":
            continue
        if name in ("head age", "log age", "click", "load", "cancel", "lag"):
            samples[f"{name} by ms"] = dict(sorted(Counter(round(1000 * value) for value in values).items()))
        else:
            samples[name] = [round(value, 2) for value in values]
    return {**measured, "samples": samples, "figures": {name: round(v, 4) for name, v in figures(measured).items()}}


def main(name: str, size: type, measure: Callable[[Path, Any], dict[str, Any]], description: str) -> int:
    """Measure a class of the size that the command line says, and return whether there were faults.

    Parameters
    ----------
    name : str
        Of the module.
    size : type
        A dataclass, whose fields are the options.
    measure : callable
        Takes a folder and the size; returns ``settings``, ``figures``, ``faults`` and samples.
    description : str
        Of the command.
    """
    parser = argparse.ArgumentParser(prog=f"python -m tests.load.{name}", description=description)
    for field, default in asdict(size()).items():
        parser.add_argument(f"--{field}", type=type(default), default=default, help="(default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all samples there")
    options = vars(parser.parse_args())
    file = options.pop("json")
    with tempfile.TemporaryDirectory() as home:
        measured = measure(Path(home), size(**options))
    for figure, value in measured["figures"].items():
        print(f"{figure:24} {value}")
    print(measured["faults"])
    if file:
        file.write_text(json.dumps({"machine": describe_machine(), **measured}) + "\n")
    return any(measured["faults"].values())
