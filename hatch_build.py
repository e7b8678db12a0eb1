"""Tags a wheel that has compiled kernels, which are for one version of Python on one system; hatchling calls it."""

import platform
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelTag(BuildHookInterface):
    """Tags wheels with compiled kernels for their Python and system; other wheels run everywhere."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard" and Path(self.root, "solvers/compiled/manifest.json").is_file():
            system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            if sys.platform == "linux":  # they call no library of the system
                system = f"manylinux_2_17_{platform.machine()}"
            build_data["pure_python"] = False
            build_data["tag"] = f"cp{sys.version_info.major}{sys.version_info.minor}-none-{system}"
