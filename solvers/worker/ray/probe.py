"""Prints this machine's devices as JSON: ``python -m solvers.worker.ray.probe``."""

import json
from dataclasses import asdict

from solvers.core.devices import probe

if __name__ == "__main__":
    print(json.dumps([asdict(device) for device in probe()]))
