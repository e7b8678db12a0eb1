"""Places from map files, and their conversion to an instance."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from data.city_names import shorten_names
from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_CITIES
from data.rounding import choose_degrees_kind
from data.tsplib.normal_form import assemble
from data.tsplib.numerals import find_number_fault


@dataclass(slots=True)
class Places:
    """Places in file order.

    Attributes
    ----------
    degrees : list of (float, float)
        Latitude and longitude of each place.
    names : list of str
        Name of each place; may be empty.
    warnings : list of str
    """

    degrees: list[tuple[float, float]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add(self, latitude: object, longitude: object, name: object = "") -> None:
        """Add a place.

        Parameters
        ----------
        latitude, longitude : str or number
            In decimal degrees.
        name : object
            Name; ignored unless it is a string.

        Raises
        ------
        InvalidInstance
            ``NUMBER``, ``RANGE`` or ``LIMIT``.
        """
        point = (_parse_degrees(latitude, 90.0), _parse_degrees(longitude, 180.0))
        if len(self.degrees) == MAX_CITIES:
            raise InvalidInstance("LIMIT", f"The file has more than {MAX_CITIES:,} places, the most that are read.")
        self.degrees.append(point)
        self.names.append(name if isinstance(name, str) else "")

    def without_repeats(self) -> "Places":
        """Remove duplicate positions, keeping their first names."""
        named: dict[tuple[float, float], str] = {}
        for point, name in zip(self.degrees, self.names, strict=True):
            named[point] = named.get(point) or name
        repeats = len(self.degrees) - len(named)
        notes = [f"Places that the file has more than once were read once: {repeats:,}."] if repeats else []
        return Places(list(named), list(named.values()), [*self.warnings, *notes])


def read(raw: bytes, reader: Callable[[bytes], Places], name: str) -> Instance:
    """Return the instance of a file's places.

    Parameters
    ----------
    raw : bytes
    reader : callable
        `data.map_files.xml_places.read` or `data.map_files.json_places.read`.
    name : str
        The instance's name.

    Raises
    ------
    InvalidInstance
        As the reader.
    """
    places = reader(raw)
    degrees = np.array(places.degrees, np.float64)
    names, notes = shorten_names(places.names), tuple(places.warnings)
    return assemble(name, choose_degrees_kind(degrees), "uploaded", coordinates=degrees, names=names, warnings=notes)


def _parse_degrees(value: object, most: float) -> float:
    """Return a number of degrees, which may be a plain decimal string."""
    text = value.strip() if isinstance(value, str) else repr(value) if type(value) in (int, float) else ""
    if fault := find_number_fault(text):
        sentence = "The latitude or longitude of a place is no plain number: write decimal degrees."
        raise InvalidInstance(fault[0], sentence)
    if not abs(float(text)) <= most:
        sentence = "A latitude is beyond 90 degrees, or a longitude beyond 180: write decimal degrees."
        raise InvalidInstance("RANGE", sentence)
    return float(text)
