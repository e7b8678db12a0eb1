"""Read a stranger's ``.tsp`` file and keep it in normal form: ``python -m runs.adopt_instance FROM FOLDER NAME``.

Runs in a process of its own, with little memory and time (`runs.child`). The new folder gets ``<sha256>.tsp`` and, as
``frame``, the instance's frame; NAME is the JSON of a name for a file that names itself nothing. A refusal is the
JSON of `InvalidInstance`'s arguments.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path

from data import library, tsplib
from data.errors import InvalidInstance
from runs.child import REFUSED, limit
from runs.frames import instance_frame

CPU_SECONDS = 5


def main() -> int:
    """Read the file that the arguments name."""
    source, folder, name = Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])
    limit(CPU_SECONDS)
    try:
        instance = tsplib.read_checked(source.read_bytes())
    except InvalidInstance as refusal:
        told = {"code": refusal.code, "sentence": refusal.sentence, "line": refusal.line}
        sys.stdout.write(json.dumps(told))
        return REFUSED
    if instance.name == "unnamed" and name:
        instance = replace(instance, name=name)
    library.store(instance, folder)
    (folder / "frame").write_bytes(instance_frame(instance))
    return 0


if __name__ == "__main__":
    sys.exit(main())
