"""Checks the header of an instance file."""

from dataclasses import dataclass

from data.errors import InvalidInstance
from data.instance import KINDS
from data.tsplib import edge_data, numerals
from data.tsplib.matrix_formats import FORMATS
from data.tsplib.normal_form import PATH_ENTRIES, check_size
from data.tsplib.tokens import Document, Entry

_DISPLAYS = ("COORD_DISPLAY", "TWOD_DISPLAY", "NO_DISPLAY")
#: Types of TSPLIB 95 with coordinates in space.
_OF_SPACE = ("EUC_3D", "MAN_3D", "MAX_3D")
#: Supported problems: tours with symmetric and directed distances, and Hamiltonian cycles.
PROBLEMS = ("TSP", "ATSP", "HCP")
_ENTRIES = (
    *("NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "NODE_COORD_TYPE"),
    "EDGE_DATA_FORMAT",
    *PATH_ENTRIES,
)


@dataclass(frozen=True, slots=True)
class Head:
    """An instance's checked header.

    `problem` is one of `PROBLEMS`; `kind` is the kind of the file's weights, empty for HCP, whose edges all weigh 1.
    `layout` is empty except for EXPLICIT; `edges` is the format of a list of edges, empty if there is none. `drawable`
    says whether the header declares positions for drawing.
    """

    problem: str
    name: str
    comment: str
    kind: str
    n: int
    layout: str
    edges: str
    drawable: bool

    @property
    def measured_as(self) -> str:
        """The kind of distances that the instance uses: a matrix if edges are missing."""
        return "EXPLICIT" if self.edges or not self.kind else self.kind


def check_header(document: Document, source: str = "uploaded") -> Head:
    """Check an instance's header, adding to the document's warnings.

    Parameters
    ----------
    document : Document
    source : str
        See `Instance.source`.

    Raises
    ------
    InvalidInstance
        ``UNSUPPORTED``, ``MISSING``, ``INT``, ``NUMBER``, ``RANGE`` or ``LIMIT``.
    """
    problem = _check_problem(document)
    if entry := document.entries.get("CAPACITY"):
        raise InvalidInstance("UNSUPPORTED", "CAPACITY is not supported: send a plain TSP.", entry.line)
    unknown = document.entries.keys() - {*_ENTRIES, "DISPLAY_DATA_TYPE"}
    if unknown:
        document.warnings.append(f"Unknown entries were ignored: {', '.join(sorted(unknown))[:120]}.")
    edges = _check_edges(document, problem)
    _refuse_third_coordinate(document)
    kind = "" if problem == "HCP" else _check_choice(document, "EDGE_WEIGHT_TYPE", KINDS)
    entry = _require(document, "DIMENSION")
    n = numerals.parse_integer(entry.value, entry.line, "DIMENSION")
    check_size("EXPLICIT" if edges else kind, n, entry.line, source)
    layout = _check_choice(document, "EDGE_WEIGHT_FORMAT", FORMATS) if kind == "EXPLICIT" else ""
    stray = find_header_value(document, "EDGE_WEIGHT_FORMAT")
    if not layout and stray not in ("", "FUNCTION"):
        document.warnings.append(f"EDGE_WEIGHT_FORMAT has no meaning with {kind or problem} and was ignored.")
    if find_header_value(document, "NODE_COORD_TYPE") not in ("", "TWOD_COORDS", "NO_COORDS"):
        line = document.entries["NODE_COORD_TYPE"].line
        raise InvalidInstance("UNSUPPORTED", "NODE_COORD_TYPE must be TWOD_COORDS or NO_COORDS.", line)
    if find_header_value(document, "DISPLAY_DATA_TYPE") not in ("", *_DISPLAYS):
        document.warnings.append("An unknown DISPLAY_DATA_TYPE was ignored.")
    drawable = kind not in ("EXPLICIT", "") or find_header_value(document, "DISPLAY_DATA_TYPE") in (
        "COORD_DISPLAY",
        "TWOD_DISPLAY",
    )
    name, comment = _get_text(document, "NAME"), _get_text(document, "COMMENT")
    return Head(problem, name, comment, kind, n, layout, edges, drawable)


def _get_text(document: Document, keyword: str) -> str:
    entry = document.entries.get(keyword)
    return entry.value if entry else ""


def find_header_value(document: Document, keyword: str) -> str:
    """Return a header entry's value in upper case; empty if missing."""
    return _get_text(document, keyword).upper()


def _require(document: Document, keyword: str) -> Entry:
    entry = document.entries.get(keyword)
    if entry is None or not entry.value:
        raise InvalidInstance("MISSING", f"The header has no {keyword}: add it.", entry.line if entry else None)
    return entry


def _check_choice(document: Document, keyword: str, choices: tuple[str, ...]) -> str:
    entry = _require(document, keyword)
    value = entry.value.upper()
    if value not in choices:
        raise InvalidInstance("UNSUPPORTED", f"{keyword} must be one of {', '.join(choices)}.", entry.line)
    if value != entry.value:
        document.warnings.append(f"The {keyword} was read as {value}.")
    return value


def _refuse_third_coordinate(document: Document) -> None:
    kind = find_header_value(document, "EDGE_WEIGHT_TYPE")
    if kind in _OF_SPACE:
        sentence = f"{kind} has a third coordinate, which is not read: write the distances as an EXPLICIT matrix."
        raise InvalidInstance("UNSUPPORTED", sentence, document.entries["EDGE_WEIGHT_TYPE"].line)


def _check_edges(document: Document, problem: str) -> str:
    """Return the format of the edge list; empty if there is none."""
    if problem == "HCP":
        return _check_choice(document, "EDGE_DATA_FORMAT", edge_data.FORMATS)
    entry = document.entries.get("EDGE_DATA_FORMAT")
    if entry is None:
        return ""
    if problem == "ATSP":
        raise InvalidInstance(
            "UNSUPPORTED", "EDGE_DATA_FORMAT is not supported with ATSP: mark missing edges in the matrix.", entry.line
        )
    return _check_choice(document, "EDGE_DATA_FORMAT", edge_data.FORMATS)


def _check_problem(document: Document) -> str:
    entry = document.entries.get("TYPE")
    if entry is None:
        document.warnings.append("TYPE is missing; the file was read as TSP.")
        return "TSP"
    word, _, rest = entry.value.partition(" ")
    problem = word.upper()
    if problem not in PROBLEMS:
        sentence = f"The TYPE must be {', '.join(PROBLEMS[:-1])} or {PROBLEMS[-1]}: no other problem is solved here."
        raise InvalidInstance("UNSUPPORTED", sentence, entry.line)
    # Official files have an author's name after the value.
    if rest or word != problem:
        document.warnings.append(f"TYPE was read as {problem}.")
    return problem
