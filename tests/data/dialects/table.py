"""The table of dialects: ``python -m tests.data.dialects.table`` writes ``docs/dialects.md``.

Its rows, with what each file means and what TourScope says of it in full, are in ``rows.json``, which `test_dialects`
holds to the files beside it. What other packages make of them is in ``benchmarks/results/dialects.json``.
"""

import json
from pathlib import Path
from typing import Any

from benchmarks.packages.dialects import is_same_cycle

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
PAGE = ROOT / "docs" / "dialects.md"
ROWS: list[dict[str, Any]] = json.loads((FOLDER / "rows.json").read_text("utf-8"))
MEASURED: dict[str, Any] = json.loads((ROOT / "benchmarks" / "results" / "dialects.json").read_text("utf-8"))
READ = "reads"
_HEAD = """# Dialects of TSPLIB

This reference shows how real files differ from the TSPLIB specification, and how five programs read them. Each row \
is a file with six cities in `tests/data/dialects/`. Tests check TourScope's column; `python -m benchmarks dialects` \
measured the others on {date}: {versions}.

- **reads**: the right cities, distances and node numbers. **warns**: the same, with a warning.
- **numbers**: the right distances, but other node numbers.
- **length**: another instance, whose shortest tour has this length. **another tour**, **2 tours**: not the file's tour.
- **refuses**: an error. **no answer**: the process dies. **nothing**: no cities or tours, and no error.

LKH is the package elkai, which gets the text of a file. It reads a tour as its initial tour, vrplib and PyVRP as a \
VRPLIB solution. vrplib does not round EUC_2D, which makes no difference here.

"""
_EXPORTS = """
## What TourScope writes for others

`tourscope data export NAME FILE.tsp` writes an instance, and `tourscope run` with `--tour FILE.tour`, or \
`--tour FILE.sol` for VRPLIB, writes a tour. Each package read both back, on the same day and machine:

"""


def page() -> str:
    """The text of the page."""
    names = list(MEASURED["versions"])
    head = _HEAD.format(date=MEASURED["machine"]["date"], versions=_join_words(list(MEASURED["versions"].values())))
    lines = [f"|file|what differs|TourScope|{'|'.join(names)}|", "|---" * (3 + len(names)) + "|"]
    for row in ROWS:
        answers = MEASURED["files"][row["file"]]
        own, *more = row.get("tourscope", READ).split(": ", 1)
        cells = [row["file"], row["difference"], f"{own}, warns" if more and own != "refuses" else own]
        lines.append(f"|{'|'.join([*cells, *(verdict(row, answers[name]) for name in names)])}|")
    exports = [f"|instance|{'|'.join(names)}|", "|---" * (1 + len(names)) + "|"]
    for name, answers in MEASURED["exports"].items():
        exports.append(f"|{name}|{'|'.join(trip(answers[each]) for each in names)}|")
    return head + "\n".join(lines) + "\n" + _EXPORTS + "\n".join(exports) + "\n"


def verdict(row: dict[str, Any], answer: dict[str, Any]) -> str:
    """A few words on how an answer compares with the meaning of the file."""
    if "error" in answer:
        return "no answer" if answer["error"] == "no answer" else "refuses"
    if "tour_of" in row:
        tours = answer["tours"]
        return f"{len(tours)} tours" if len(tours) > 1 else _of_tour(tours == [row["tour"]], bool(tours))
    if answer["length"] is None:
        return "no matrix" if answer["n"] else "nothing"
    if answer["n"] != row["n"]:
        return f"{answer['n']} cities"
    if answer["length"] != row["length"]:
        return f"length {answer['length']:,g}"
    return READ if is_same_cycle(answer["tour"], row["tour"], row.get("directed", False)) else "numbers"


def _of_tour(same: bool, found: bool) -> str:
    return READ if same else "another tour" if found else "nothing"


def trip(answer: dict[str, Any]) -> str:
    """A word on whether an exported instance and its tour survived the round trip."""
    good = answer.get("tour") and answer.get("distances", answer.get("optimum"))
    return READ if good else "refuses" if "error" in answer else "another"


def _join_words(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
