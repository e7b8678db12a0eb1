"""Finds modules by their names before 1.1: users' solvers may import `solvers.events`, now `solvers.core.events`."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

#: Folders of `solvers` whose modules and packages used to be at its root.
_ROOMS = {
    "core": "devices errors events kernel_distances machine memory neighbours params solver sources stop variant",
    "algorithms": (
        "annealing ants branch_and_cut construction genetic held_karp lin_kernighan reference swarms tabu two_opt"
    ),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names.split()}


def current_name(former: str) -> str:
    """Return a module's current name; empty if the module was not renamed."""
    top, _, rest = former.partition(".")
    room = _ROOM_OF.get(rest.partition(".")[0]) if top == "solvers" else None
    return f"{top}.{room}.{rest}" if room else ""


class FormerModules(MetaPathFinder, Loader):
    """Finds a module by its former name: the same object as by its current name, not a copy."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if current_name(fullname) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(current_name(spec.name))
        spec.loader_state = module.__spec__  # which the import system is about to replace by `spec`
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def install() -> None:
    """From now on, find former names; they come before the folders, where an empty folder would count as a package."""
    sys.meta_path.insert(0, FormerModules())
