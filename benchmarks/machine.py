"""The machine and the software that a measurement was taken with."""

import os
import platform
import time
from typing import Any

from solvers.devices import cpu_name, cpu_threads
from solvers.run import versions


def describe() -> dict[str, Any]:
    """What a reader needs to know to judge a figure; no name of the machine or its user."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "cpu": cpu_name(),
        "threads": cpu_threads(),
        "system": f"{platform.system()} {platform.machine()}",
        "load_1_minute": load,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "versions": versions(),
    }
