"""The preload of the tests' fork server, and the work of its forks."""

import os
import sys
import time

from solvers.worker.fork_server_main import COMPILING

STEPS: list[str] = []


def preload():
    """Two steps; the second one begins once a file exists. With ``COMPILES``, other processes compile until then."""
    if "COMPILES" in os.environ:
        STEPS.append("begun")
        try:
            while not os.path.exists(os.environ["GATE"]):
                yield COMPILING
        finally:
            STEPS.append("ended")
    for step in ("one", "two"):
        yield step
        while step == "two" and not os.path.exists(os.environ["GATE"]):
            time.sleep(0.01)
        STEPS.append(step)


def main() -> None:
    """Print the identity of this process, then each line of the input, until one requests the end."""
    facts = [",".join(STEPS), os.environ.get("MARK", ""), str(os.getsid(0) == os.getpid()), str(os.getppid())]
    print(*facts, sep=" ", flush=True)
    for line in sys.stdin:
        if line.startswith("exit"):
            sys.exit(int(line.split()[1]))
        if line.startswith("fail"):
            raise ValueError(line)
        print(line, end="", flush=True)
