"""An instance: cities, their distances, and its best known tour."""

from dataclasses import dataclass, field

import numpy as np

#: The unit of lengths between places on the globe, by edge weight type; of other types nobody knows it.
UNITS = {"GEO": "km", "HAVERSINE_KM": "km", "HAVERSINE_M": "m"}
#: The supported edge weight types: those of TSPLIB 95, and two for places in decimal degrees (`data.distances`).
KINDS = ("EUC_2D", "CEIL_2D", "GEO", "ATT", "EXPLICIT", "HAVERSINE_KM", "HAVERSINE_M")


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """A Travelling Salesman Problem. Its arrays are read-only.

    Attributes
    ----------
    name : str
        For display only, never for a path.
    kind : str
        Edge weight type, one of `KINDS`.
    n : int
        Number of cities.
    coordinates : ndarray, shape (n, 2), float64, or None
        As the file gives them; on the globe latitude and longitude, in degrees.minutes for GEO, else in decimal
        degrees. None for EXPLICIT.
    weights : ndarray, shape (n, n), int32, or None
        The matrix of an EXPLICIT instance or of a path, from row to column, else None.
    display : ndarray, shape (n, 2), float64
        Where to draw each city, x to the right and y upwards (on the globe longitude and latitude in decimal degrees).
    display_note : str
        How `display` was computed if the instance has no coordinates, else empty.
    comment : str
        One line on the origin of the instance.
    optimum : int or None
        Length of the best known tour.
    proven : bool
        Whether `optimum` is proven optimal (else it is only the best known).
    optimal_tour : ndarray, shape (n,), int32, or None
        A tour of length `optimum`, as indices of cities from 0.
    sha256 : str
        Hash of the normal form (see `data.tsplib.instances.write`) without NAME and COMMENT; identifies the instance.
    source : str
        ``bundled``, ``folder``, ``uploaded``, ``generated``, ``places`` or ``inline``.
    node_ids : ndarray, shape (n,), int64, or None
        The file's node numbers, if they are not 1 to n.
    upload : str
        What tells an upload from an earlier one of the same hash and other names; see `data.collection.uploads`.
    names : tuple of str
        What the cities are called, one each, which may be empty; or none at all. No part of the hash.
    warnings : tuple of str
        What a user should know about the file.
    directed : bool
        Whether two cities may be as far apart in one direction and further in the other; then `weights` is not
        symmetric (the asymmetric problem, ATSP).
    missing : int
        Number of missing edges; of directed edges if the instance is directed.
    missing_weight : int
        Length of a missing edge in `weights`; 0 if there are none. See `data.missing`.
    start, end : int or None
        Where a path begins and ends, if the problem is that of a path; then `weights` is that of `data.paths`, whatever
        the kind. A path that is open at both ends begins at a city of `added`.
    fixed : tuple of (int, int)
        Edges that a tour must have, from city to city; those of either direction are there in both. Then `weights` is
        that of `data.paths` as well.
    added : int
        How many of the last cities are none of the file's, but stand for open ends and fixed edges: see `data.paths`.
    """

    name: str
    kind: str
    n: int
    coordinates: np.ndarray | None
    weights: np.ndarray | None
    display: np.ndarray
    display_note: str = ""
    comment: str = ""
    optimum: int | None = None
    proven: bool = False
    optimal_tour: np.ndarray | None = None
    sha256: str = ""
    source: str = "bundled"
    node_ids: np.ndarray | None = None
    names: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=())
    directed: bool = False
    missing: int = 0
    missing_weight: int = 0
    start: int | None = None
    end: int | None = None
    fixed: tuple[tuple[int, int], ...] = ()
    added: int = 0
    upload: str = ""

    def __post_init__(self) -> None:
        for array in (self.coordinates, self.weights, self.display, self.optimal_tour, self.node_ids):
            if array is not None:
                array.setflags(write=False)

    @property
    def unit(self) -> str:
        """The unit of its lengths: ``km``, ``m``, or nothing where it is not known."""
        return UNITS.get(self.kind, "")

    def with_unit(self, length: str) -> str:
        """A length that is written already, with its unit where that is known: 7,542 km."""
        return f"{length} {self.unit}".rstrip()

    @property
    def is_on_globe(self) -> bool:
        """Whether its cities have latitudes and longitudes."""
        return self.kind in UNITS

    @property
    def city_count(self) -> int:
        """Number of cities without those of `added`."""
        return self.n - self.added

    @property
    def is_path(self) -> bool:
        """Whether a path is wanted, which does not return."""
        return self.start is not None or self.end is not None

    @property
    def edge_count(self) -> int:
        """Number of edges between its cities, the missing ones included."""
        pairs = self.n * (self.n - 1)
        return pairs if self.directed else pairs // 2

    @property
    def has_negative(self) -> bool:
        """Whether a distance is negative."""
        return self.weights is not None and bool((self.weights < 0).any())

    def missing_in(self, length: int) -> int:
        """How many missing edges a tour of this length uses: all of its other edges together are shorter than one."""
        return length // self.missing_weight if self.missing else 0
