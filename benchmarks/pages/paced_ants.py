"""A server whose Ant System makes 30 iterations per second, all with pictures.

`benchmarks.pages.watch` starts ``python -m benchmarks.pages.paced_ants``, which takes the arguments of `app.py`.
The speed of ants depends on the machine, so there are only a few, and the solver waits for the clock.
"""

from app import main
from runs.engine import process

if __name__ == "__main__":
    process.WORKER = "benchmarks.pages.paced_worker"
    main()
