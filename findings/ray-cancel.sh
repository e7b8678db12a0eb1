#!/usr/bin/env bash
# Ray 2.60.0: ray.cancel asks a task to end by KeyboardInterrupt, as the documents say. Python
# raises it between two instructions, so a task within a call, be it only time.sleep, goes on to
# that call's end, and its core stays taken. Who waits for the task learns of the end no sooner.
# Guess before the run: none, it was seen on the way to another.
# Seen: cancelled after about 1 s, a task that sleeps for 8 s raises KeyboardInterrupt after 8 s.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check ray==2.60.0
HOME=$folder RAY_TMPDIR=$folder RAY_AUTH_MODE=disabled RAY_USAGE_STATS_ENABLED=0 "$folder/venv/bin/python" - <<'PY'
import time
from pathlib import Path

import ray

ray.init(num_cpus=1, include_dashboard=False, configure_logging=False, log_to_driver=False)
begun = Path.home() / "begun"


@ray.remote
def sleep():
    """Sleep for 8 s; return what ended it, and after how many seconds."""
    begin = time.monotonic()
    begun.touch()
    try:
        time.sleep(8)
    except KeyboardInterrupt:
        return "KeyboardInterrupt", time.monotonic() - begin
    return "nothing", time.monotonic() - begin


task = sleep.remote()
while not begun.exists():
    time.sleep(0.05)
time.sleep(1)
ray.cancel(task)
end, seconds = ray.get(task)
print(end, round(seconds, 1))
ray.shutdown()
assert end == "KeyboardInterrupt"
assert seconds >= 8
PY
