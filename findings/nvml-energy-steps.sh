#!/usr/bin/env bash
# NVIDIA H200 (driver 580.159.04, nvidia-ml-py): the counter of a GPU's energy is in millijoules and
# grows every 100 ms, by joules. What it says of a shorter piece of work may be nothing, or the
# energy of what came before.
# Guess before the run: steps of 20 ms or less.
# Seen: 41 values in 1,097 calls during 4 s, 84 to 115 ms from one to the next.
# Needs a GPU; FINDINGS_PYTHON names a Python with nvidia-ml-py where nothing can be installed.
set -euo pipefail
if ! nvidia-smi > /dev/null 2>&1; then
  echo "needs a GPU"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${FINDINGS_PYTHON:-$folder/venv/bin/python}
if [ -z "${FINDINGS_PYTHON:-}" ]; then
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install -q --disable-pip-version-check nvidia-ml-py==13.580.82
fi
cat > "$folder/energy.py" <<'PY'
import time

import pynvml

pynvml.nvmlInit()
device = pynvml.nvmlDeviceGetHandleByIndex(0)
changes, last, calls, end = [], None, 0, time.perf_counter() + 4
while time.perf_counter() < end:
    value = pynvml.nvmlDeviceGetTotalEnergyConsumption(device)
    calls += 1
    if value != last:
        changes.append(time.perf_counter())
        last = value
gaps = sorted(1e3 * (b - a) for a, b in zip(changes, changes[1:]))
print(calls, len(changes), round(gaps[0]), round(gaps[len(gaps) // 2]), round(gaps[-1]))
assert calls > 4 * len(changes)
assert gaps[len(gaps) // 2] > 50
PY
"$python" "$folder/energy.py"
