"""Randomly damaged files: valid seeds, and kinds of damage that occur in real files."""

import random
import re
from collections.abc import Callable, Iterator

from data.collection.resolve import load
from data.generators import uniform
from data.instance import Instance
from data.tsplib.instances import write
from data.tsplib.matrix_formats import FORMATS

_HEAD = "NAME: s\nTYPE: TSP\nCOMMENT: a seed\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: "
_NODES = "\nNODE_COORD_SECTION\n1 0 0\n2 3.5 0\n3 1e1 -4\n4 .25 7\nEOF\n"
# Entries of a matrix: full, and as a triangle in either order, with and without its diagonal.
_FULL = "0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0"
_FALLING = {"_DIAG": "0 1 2 3\n0 4 5\n0 6\n0", "": "1 2 3\n4 5\n6"}
_RISING = {"_DIAG": "0\n1 0\n2 4 0\n3 5 6 0", "": "1\n2 4\n3 5 6"}
# Directed; with two missing edges, marked on the diagonal; and graphs given by their edges.
_DIRECTED = "0 1 2 3\n4 0 5 6\n7 8 0 9\n1 3 5 0"
_MARKED = "99 1 2 3\n4 99 5 6\n7 8 99 99\n1 99 5 99"
_GRAPHS = {"EDGE_LIST": "1 2\n2 3\n3 4\n4 1\n-1", "ADJ_LIST": "1 2 4 -1\n3 2 4 -1\n-1"}
#: Replacements of words, and words to insert.
_WORDS = (
    *(
        "0",
        "-1",
        "1.5",
        "1e3",
        "1D+02",
        "1e999",
        "-0",
        "+3",
        ".5",
        "5.",
        "nan",
        "inf",
        "0x10",
        "1_000",
        "0,5",
        "٣",
        "３",
    ),
    *("1" * 25, "9" * 5000, "2147483647", "2147483648", "-2147483648", "9223372036854775808", "1000000000", "EOF"),
    *("NAME:", "DIMENSION: 5", "TYPE: TOUR", "EXPLICIT", "euc_2d", "FUNCTION", "LOWER_COL", "GEO", "\u00a0", "\0", ""),
    *("NODE_COORD_SECTION", "FIXED_EDGES_SECTION", "EDGE_WEIGHT_FORMAT: LOWER_ROW", "DISPLAY_DATA_TYPE: NO_DISPLAY"),
    *("99", "TYPE: ATSP", "EDGE_DATA_FORMAT: ADJ_LIST", "EDGE_DATA_SECTION"),
)


def make_seeds() -> list[bytes]:
    """Small valid files of every kind and layout."""
    texts = [f"{_HEAD}{kind}{_NODES}" for kind in ("EUC_2D", "CEIL_2D", "ATT", "GEO")]
    for layout in FORMATS:
        triangle = _FALLING if layout.startswith("UPPER") == layout.endswith("ROW") else _RISING
        entries = _FULL if layout == "FULL_MATRIX" else triangle["_DIAG" if "_DIAG" in layout else ""]
        texts.append(f"{_HEAD}EXPLICIT\nEDGE_WEIGHT_FORMAT: {layout}\nEDGE_WEIGHT_SECTION\n{entries}\nEOF\n")
    for entries in (_DIRECTED, _MARKED):
        head = _HEAD.replace("TSP", "ATSP")
        texts.append(f"{head}EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n{entries}\nEOF\n")
    for layout, entries in _GRAPHS.items():
        graph = f"EDGE_DATA_FORMAT: {layout}\nEDGE_DATA_SECTION\n{entries}\n"
        texts.append(f"NAME: h\nTYPE: HCP\nDIMENSION: 4\n{graph}EOF\n")
        texts.append(f"{_HEAD}EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n{_FULL}\n{graph}EOF\n")
    instances: list[Instance] = [load("burma14"), load("gr17"), uniform(12, 1)]
    return [text.encode() for text in (*texts, *map(write, instances))]


def make_mutants(seed: int, count: int) -> Iterator[bytes]:
    """Yield `count` damaged files; the same seed gives the same files."""
    rng, good = random.Random(seed), make_seeds()
    for _ in range(count):
        raw = rng.choice(good)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            raw = add_damage(raw, rng)
        yield raw


def add_damage(raw: bytes, rng: random.Random) -> bytes:
    """Add a random damage to a file."""
    return rng.choice(_DAMAGES)(raw, rng)


def _damage_word(raw: bytes, rng: random.Random) -> bytes:
    """Replace, double or remove a word, or insert one before it."""
    parts = re.split(rb"(\s+)", raw)
    k = 2 * rng.randrange(len(parts) // 2 + 1)
    new = rng.choice(_WORDS).encode()
    parts[k] = rng.choice((new, new, new + b" " + parts[k], b"", parts[k] + b" " + parts[k]))
    return b"".join(parts)


def _damage_line(raw: bytes, rng: random.Random) -> bytes:
    """Replace, double, remove or shorten a line, or swap two."""
    lines = raw.split(b"\n")
    j, k = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            lines[j] = rng.choice(_WORDS).encode()
        case 1:
            lines.insert(k, lines[j])
        case 2:
            del lines[j]
        case 3:
            lines[j] = lines[j][: rng.randrange(len(lines[j]) + 1)]
        case _:
            lines[j], lines[k] = lines[k], lines[j]
    return b"\n".join(lines)


def _damage_bytes(raw: bytes, rng: random.Random) -> bytes:
    """Change, insert or remove one or more bytes."""
    k = rng.randrange(len(raw) + 1)
    new = bytes([rng.choice((rng.randrange(256), *b"0123456789.-+eE :\n\r\t"))])
    return raw[:k] + rng.choice((new, b"")) + raw[k + rng.choice((0, 1, 1, 8)) :]


def _truncate(raw: bytes, rng: random.Random) -> bytes:
    """Truncate the file, as in an interrupted download."""
    return raw[: rng.randrange(len(raw) + 1)]


def _change_spelling(raw: bytes, rng: random.Random) -> bytes:
    """Change the encoding or spelling of the whole file, sometimes validly."""
    changes: tuple[Callable[[bytes], bytes], ...] = (
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: text.replace(b"\n", b"\r"),
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: text.lower(),
        lambda text: text.replace(b":", b" :"),
        lambda text: text.replace(b" ", b"\t"),
        lambda text: text.decode("latin-1").encode("utf-16"),
        lambda text: text + text,
    )
    return rng.choice(changes)(raw)


_DAMAGES = (_damage_word, _damage_word, _damage_line, _damage_line, _damage_bytes, _truncate, _change_spelling)
