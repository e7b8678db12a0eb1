"""A server whose Ant System makes 30 iterations per second, all with pictures: ``python -m
benchmarks.pages.paced_ants``.

It is the server of `benchmarks.pages.watch`; its arguments are the same as for `app.py`. The speed of ants depends on
the machine, so there are only a few, and the solver waits for the clock.
"""

from app import main
from runs.engine import process

if __name__ == "__main__":
    process.WORKER = "benchmarks.pages.paced_worker"
    main()
