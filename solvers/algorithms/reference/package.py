"""A package of another project: whether it is installed, its version and its limits."""

from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from data.command_line import format_install_command
from solvers.core.solver import Variant
from solvers.gpu.limits import Limits

#: Largest distance for packages that do not limit distances further: the largest distance allowed here.
INT32_MAX = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Package:
    """A package with a solver.

    Attributes
    ----------
    distribution : str
        Name of the package on PyPI.
    module : str
        Name of the module to import.
    licence : str
    max_cities : int
        Maximum number of cities for which the package is called, since it needs a matrix of all distances.
    largest : int
        The largest distance that it supports; if there is a larger one, all are scaled down.
    negative : bool
        Whether it supports negative distances; ``docs/reference-solvers.md`` says what the others do with them.
    """

    distribution: str
    module: str
    licence: str
    max_cities: int
    largest: int = INT32_MAX
    negative: bool = False

    def missing(self) -> str:
        """Return why the package cannot be used, in one sentence; empty if it is installed."""
        if find_spec(self.module) is not None:
            return ""
        command = format_install_command(self.distribution)
        return f"The package {self.distribution} ({self.licence}) is not installed: {command}."

    def version(self) -> str:
        """Return the installed version; empty if unknown."""
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return ""

    def divisor(self, largest: int) -> int:
        """Return the divisor of all distances by which the package supports the largest; 1 if it does already."""
        return max(1, -(-largest // self.largest))


@dataclass(frozen=True, slots=True)
class PackageVariant(Variant):
    """A variant that a package implements; it is available only if the package is installed.

    Attributes
    ----------
    package : Package
    """

    package: Package = field(kw_only=True)

    def max_cities(self, limits: Limits) -> int | None:
        """See `solvers.core.variant.Variant.max_cities`."""
        return self.package.max_cities

    def unavailable_reason(self, kind: str, n: int, limits: Limits, memory: int = 0) -> str:
        """See `solvers.core.variant.Variant.unavailable_reason`."""
        return self.package.missing() or Variant.unavailable_reason(self, kind, n, limits, memory)


def package_variant(name: str, kernel: str, note: str, package: Package, directed: bool = False) -> PackageVariant:
    """Return a CPU variant that uses a matrix of all distances."""
    return PackageVariant(
        name, "cpu", kernel, note, memory="A matrix of all distances, and what the package makes of it.",
        bound="it is given a matrix of all distances", directed=directed, package=package,
    )  # fmt: skip
