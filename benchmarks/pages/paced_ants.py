"""A server whose Ant System is held to 30 iterations a second, all pictured: ``python -m benchmarks.pages.paced_ants``.

What it serves is what `benchmarks.pages.watch` watches; its arguments are those of `app.py`. The ants themselves are
slower or faster than that by the machine, so few of them walk, and the solver waits for the clock.
"""

from app import main
from runs.engine import process

if __name__ == "__main__":
    process.WORKER = "benchmarks.pages.paced_worker"
    main()
