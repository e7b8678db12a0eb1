"""What the drawer shows of an algorithm: sections of its document, and its parameters from their declarations."""

from html import escape
from typing import Any

from components.shell import markdown
from components.shell.numbers import integer
from components.shell.texts import how as text
from solvers import SOLVERS, find
from solvers.params import Param
from solvers.solver import Solver
from solvers.user_files.absent import AbsentSolver
from solvers.user_files.solver_file import FileSolver

#: The sections that every algorithm's document begins with, as the drawer shows them.
SECTIONS = ("Idea", "Formulas", "Pseudo-code", "On a GPU", "Cost of an iteration")
#: The section that is made from declarations, and the last one.
PARAMETERS, SOURCES = "Parameters", "Sources"
#: The document about users' own solvers.
_GUIDE = "your-solver.md"
#: The level of the drawer's own heading.
_LEVEL = 2


def document_of(solver: Solver) -> str:
    """The path of an algorithm's document below ``docs/``."""
    return f"algorithms/{solver.name}.md"


def page(algorithm: str, base_path: str) -> dict[str, Any]:
    """The drawer's page of an algorithm.

    Parameters
    ----------
    algorithm : str
    base_path : str
        Path under which the application is served, with a slash at its end.

    Returns
    -------
    dict
        ``title``; ``sections``, each with its ``title``, its ``anchor`` and its ``html``; ``document``, the path of the
        document of which this is a part.

    Raises
    ------
    InvalidParams
        If there is no such algorithm.
    """
    solver = find(algorithm)
    if isinstance(solver, FileSolver):
        return _of_file(solver)
    if isinstance(solver, AbsentSolver):
        return _page(solver, {SECTIONS[0]: _paragraphs(SECTIONS[0], solver.sentence())}, _GUIDE)
    written = {each.title: each for each in markdown.document(document_of(solver), base_path, _LEVEL).sections}
    shown = {name: written[name].html for name in SECTIONS}
    shown[PARAMETERS] = _parameters(solver)
    shown[SOURCES] = written[SOURCES].html
    return _page(solver, shown, document_of(solver))


def _page(solver: Solver, shown: dict[str, str], document: str) -> dict[str, Any]:
    sections = [{"title": name, "anchor": markdown.slug(name), "html": html} for name, html in shown.items()]
    return {"title": solver.title, "sections": sections, "document": document}


def _of_file(solver: FileSolver) -> dict[str, Any]:
    """The page of a user's own solver: what its file says of it."""
    shown = {
        SECTIONS[0]: _paragraphs(SECTIONS[0], solver.summary, *solver.doc.split("\n\n")),
        PARAMETERS: _parameters(solver),
        SOURCES: _paragraphs(SOURCES, solver.source, solver.file.path.name),
    }
    return _page(solver, shown, _GUIDE)


def algorithms() -> list[dict[str, str]]:
    """All algorithms, for the drawer's list: ``name``, ``title`` and ``summary`` of each."""
    return [{"name": each.name, "title": each.title, "summary": each.summary} for each in SOLVERS]


def document(path: str, base_path: str) -> dict[str, Any]:
    """Any document of ``docs/`` for the drawer, in the form of `page`.

    Raises
    ------
    NoSuchDocument
        If there is none.
    """
    found = markdown.document(path, base_path, _LEVEL)
    whole = [{"title": "", "anchor": "", "html": found.introduction}] if found.introduction else []
    sections = [{"title": each.title, "anchor": each.anchor, "html": each.html} for each in found.sections]
    return {"title": found.title, "sections": whole + sections, "document": path}


def _heading(title: str) -> str:
    return f'<h{_LEVEL + 1} id="{markdown.slug(title)}">{title}</h{_LEVEL + 1}>'


def _paragraphs(title: str, *paragraphs: str) -> str:
    """A section of plain text, which comes from a user's file."""
    return _heading(title) + "".join(f"<p>{escape(each)}</p>" for each in paragraphs if each.strip())


def _parameters(solver: Solver) -> str:
    heading = _heading(PARAMETERS)
    rows = [_parameter(param) for param in solver.params.schema()]
    listed = f"<dl>{''.join(rows)}</dl>" if rows else f"<p>{escape(text('parameters.none'))}</p>"
    return heading + listed


def _parameter(param: Param) -> str:
    symbol = f" <i>{escape(param.symbol)}</i>" if param.symbol else ""
    values = f" <small>{escape(_values(param))}</small>" if _values(param) else ""
    return f"<dt>{escape(param.label)}{symbol}</dt><dd>{escape(param.help)}{values}</dd>"


def _values(param: Param) -> str:
    """The default and the valid values of a parameter, in words."""
    if param.kind == "tour":
        return ""
    if param.kind == "bool":
        return text("parameters.on") if param.default else text("parameters.off")
    if param.kind == "choice":
        return text("parameters.choice", default=str(param.default), choices=", ".join(param.choices))
    low, high, default = map(_number, (param.low, param.high, param.default))
    return text("parameters.number", default=default, low=low, high=high)


def _number(value: Any) -> str:
    return integer(value) if float(value).is_integer() else f"{value:g}"
