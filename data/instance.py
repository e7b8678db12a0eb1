"""An instance: cities, their distances, and its best known tour."""

from dataclasses import dataclass, field

import numpy as np

#: Unit of lengths for edge weight types on the globe; unknown for others.
UNITS = {"GEO": "km", "HAVERSINE_KM": "km", "HAVERSINE_M": "m"}
#: Supported edge weight types: five of TSPLIB 95's, and two for places in decimal degrees (`data.distances`).
KINDS = ("EUC_2D", "CEIL_2D", "GEO", "ATT", "EXPLICIT", "HAVERSINE_KM", "HAVERSINE_M")


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """An instance of the Travelling Salesman Problem, with read-only arrays.

    Attributes
    ----------
    name : str
        Name for display, never used in a path.
    kind : str
        Edge weight type, one of `KINDS`.
    n : int
        Number of cities.
    coordinates : ndarray, shape (n, 2), float64, or None
        Coordinates as in the file; on the globe latitude and longitude, in degrees.minutes for GEO, else in decimal
        degrees. None for EXPLICIT.
    weights : ndarray, shape (n, n), int32, or None
        Distance matrix, from row to column, if the instance is EXPLICIT, has fixed edges, or is a path of at most
        `data.limits.MAX_EXPLICIT` cities; otherwise None.
    display : ndarray, shape (n, 2), float64
        Drawing positions, x to the right and y upwards (on the globe longitude and latitude in decimal degrees).
    display_note : str
        Origin of `display` if the instance has no coordinates, otherwise empty.
    comment : str
        One line on the origin of the instance.
    optimum : int or None
        Length of the best known tour: the optimum if `proven`, otherwise the best known length.
    proven : bool
        Whether no tour is shorter than `optimum`.
    optimal_tour : ndarray, shape (n,), int32, or None
        A tour of length `optimum`, as indices of cities from 0.
    sha256 : str
        Hash of the normal form (see `data.tsplib.instances.write`) without NAME and COMMENT; identifies the instance.
    source : str
        ``bundled``, ``folder``, ``uploaded``, ``generated``, ``places`` or ``inline``.
    node_ids : ndarray, shape (n,), int64, or None
        Node numbers of the file, unless they are 1 to n.
    upload : str
        Distinguishes an upload from an earlier one with the same hash but different names; see
        `data.collection.uploads`.
    names : tuple of str
        Name of each city, which may be empty; or none at all. Not part of the hash.
    warnings : tuple of str
        Warnings about the file for the user.
    directed : bool
        Whether distances depend on the direction (the asymmetric problem, ATSP), so that `weights` is not symmetric.
    missing : int
        Number of missing edges, counted as directed edges if the instance is directed.
    missing_weight : int
        Length of a missing edge in `weights`; 0 if there are none. See `data.missing`.
    start, end : int or None
        First and last city if the problem is a path, where one of them may be None; else None. Distances are then those
        of `data.paths`, whatever the kind. A path that is open at both ends starts at one of the `added` cities.
    fixed : tuple of (int, int)
        Edges required in a tour, as pairs of cities, listed in both directions if both are allowed; `weights` is then
        the matrix of `data.paths`.
    added : int
        Number of additional cities, the last ones, that represent open ends and fixed edges; see `data.paths`.
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
        for array in self._arrays:
            array.setflags(write=False)

    @property
    def _arrays(self) -> list[np.ndarray]:
        arrays = (self.coordinates, self.weights, self.display, self.optimal_tour, self.node_ids)
        return [array for array in arrays if array is not None]

    @property
    def memory(self) -> int:
        """Size in bytes, counting 100 for each name, because names are short."""
        return sum(array.nbytes for array in self._arrays) + 100 * len(self.names)

    @property
    def unit(self) -> str:
        """Unit of lengths: ``km``, ``m``, or empty if unknown."""
        return UNITS.get(self.kind, "")

    def with_unit(self, length: str) -> str:
        """Append the unit, if known, to a formatted length, as in 7,542 km."""
        return f"{length} {self.unit}".rstrip()

    @property
    def is_on_globe(self) -> bool:
        """Whether the cities have latitudes and longitudes."""
        return self.kind in UNITS

    @property
    def city_count(self) -> int:
        """Number of cities without the `added` ones."""
        return self.n - self.added

    @property
    def is_path(self) -> bool:
        """Whether the problem is a path that does not return to its start."""
        return self.start is not None or self.end is not None

    @property
    def is_open(self) -> bool:
        """Whether the problem is a path between any two cities."""
        return self.start is not None and self.start >= self.city_count

    @property
    def edge_count(self) -> int:
        """Number of edges between cities, including missing ones."""
        pairs = self.n * (self.n - 1)
        return pairs if self.directed else pairs // 2

    @property
    def has_negative(self) -> bool:
        """Whether any distance is negative."""
        return self.weights is not None and bool((self.weights < 0).any())

    def missing_in(self, length: int) -> int:
        """Return how many missing edges a tour of this length has.

        A missing edge is longer than all other edges together.
        """
        return length // self.missing_weight if self.missing else 0
