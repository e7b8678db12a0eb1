"""The form's menu of variants: which can run here, their key ideas, and why others cannot run."""

import re
from typing import NamedTuple, TypedDict

from dash import dcc, html

from components.algorithm.devices import LABELS, all_devices, explain_missing, known_devices
from components.instances.references import parse_reference
from components.shell import ids
from components.shell.callbacks import choose
from components.shell.controls import button, field_label, hyphenate_names, live_note, menu
from components.shell.facts import localise
from components.shell.texts import common as text
from components.types import Json, Option
from data.errors import InvalidInstance
from runs.language import per_language
from runs.service import RunService
from runs.translation import translate
from solvers import find
from solvers.core.errors import InvalidParams
from solvers.core.machine import Machine
from solvers.core.params import Param
from solvers.core.solver import Solver, Variant
from solvers.plan import explain_unavailable

AUTO = "auto"
_AUTO_SENTENCE = per_language(lambda: text("variant.auto"))


class Place(NamedTuple):
    """The devices on which a run can take place, and its instance if known."""

    status: Json = None
    device: str = "auto"
    kind: str = ""
    n: int = 0
    directed: bool = False


class FieldUpdate(TypedDict):
    """An update to the form's variant field."""

    algorithm: str
    options: list[Option]
    missing: str
    words: dict[str, str]


def find_place(run_service: RunService, status: Json, device: Json, instance: Json) -> Place:
    """Return a form's devices and instance; an invalid instance counts as unknown, since its own field reports it."""
    chosen = choose(device, LABELS(), "auto")
    try:
        loaded = run_service.instance(parse_reference(instance))
    except InvalidInstance:
        return Place(status, chosen)
    return Place(status, chosen, loaded.kind, loaded.n, loaded.directed)


def make_machine(status: Json) -> Machine:
    """Return the machine described by a status."""
    return Machine.from_report(all_devices(status) or ())


def unavailable_reason(solver: Solver, variant: Variant, place: Place) -> str:
    """Return why a variant cannot run at a place, in one sentence; empty if it can."""
    if reason := explain_missing(solver, variant.device, place.status):
        return reason
    if place.device not in ("auto", variant.device):
        return text("variant.set-device", variant=variant.name, device=LABELS()[variant.device])
    why = explain_unavailable(solver, variant, place.kind, place.n, place.directed, make_machine(place.status))
    return localise(str(why)) if why else ""


def has_table(solver: Solver) -> bool:
    """Return whether there is a table that compares the algorithm's variants."""
    return any(variant.key_idea for variant in solver.variants)


def cite_source(variant: Variant) -> tuple[str, str]:
    """Return a variant's authors, and the section or paper that it builds on."""
    source = translate(variant.source)
    match = re.match(r"([^;]*?\(\d{4}\)),? ?(.*)", source) or re.match(r"([^;]*);? ?(.*)", source)
    return (match[1], match[2]) if match else (source, "")


def _shorten_origin(variant: Variant) -> str:
    """Return the short name of a variant's origin."""
    if not variant.source or variant.device == "cpu":
        return LABELS()[variant.device]
    authors = cite_source(variant)[0]
    author, year = re.split(r",| and ", authors)[0].split()[-1], re.search(r"\((\d{4})\)", authors)
    return f"{author} {year[1]}" if year else authors.lower()


def _option(solver: Solver, variant: Variant, place: Place) -> Option:
    reason = unavailable_reason(solver, variant, place)
    label = html.Span(
        [
            html.Span(variant.name, className="option-name"),
            html.Span(_shorten_origin(variant), className="option-fact"),
        ],
        className="option",
    )
    return {
        "value": variant.name, "label": label, "search": variant.name, "title": reason or translate(variant.note),
        "disabled": bool(reason),
    }  # fmt: skip


def options(solver: Solver, place: Place) -> list[Option]:
    """Return the menu's options: automatic, then every variant in the order of the solver's table."""
    automatic: Option = {
        "value": AUTO,
        "label": html.Span(AUTO, className="option-name"),
        "search": AUTO,
        "title": _AUTO_SENTENCE(),
    }
    return [automatic, *(_option(solver, variant, place) for variant in solver.variants)]


def describe_variants(solver: Solver, place: Place) -> dict[str, str]:
    """Return each variant's key idea, or why it cannot run."""
    texts = {AUTO: _AUTO_SENTENCE()}
    for variant in solver.variants:
        texts[variant.name] = unavailable_reason(solver, variant, place) or translate(variant.key_idea or variant.note)
    return texts


def count_unavailable(solver: Solver, place: Place, has_reason: bool = True) -> str:
    """Return how many variants cannot run and the first reason; empty if all can, or if the device is unknown.

    If none can run, the reason is left out without `has_reason`, since the page gives it elsewhere.
    """
    if known_devices(place.status) is None:
        return ""
    reasons = {variant: reason for variant in solver.variants if (reason := unavailable_reason(solver, variant, place))}
    if not reasons:
        return ""
    count, every = len(reasons), len(solver.variants)
    if not make_machine(place.status).gpus and {reason.device for reason in reasons} == {"cuda"}:
        # the device field gives the reason
        return text("variant.need-gpu", count=count, every=every)
    if count == every and not has_reason:
        return text("variant.none-can-run", every=every)
    return text("variant.cannot-run", count=count, every=every, reason=next(iter(reasons.values())))


def field(solver: Solver, param: Param, value: Json, place: Place, has_reason: bool = True) -> html.Div:
    """Return the menu of variants, a line about the choice, and the button that opens the table."""
    control_id, texts = ids.parameter(param.name), describe_variants(solver, place)
    compare = button("variants-open", text("variant.compare-title"), "grid", text=text("variant.compare"))
    parts = [
        html.Div([field_label(param, control_id), *([compare] if has_table(solver) else [])], className="field-head"),
        menu(control_id, options(solver, place), str(value), searchable=False, optionHeight=34),
        live_note(ids.variant(solver.name, "note"), texts.get(str(value), "")),
        html.Div(
            count_unavailable(solver, place, has_reason), id=ids.variant(solver.name, "missing"), className="note"
        ),
        dcc.Store(id=ids.variant(solver.name, "words"), data=texts),
    ]
    return html.Div(parts, className="field", **hyphenate_names(data_algorithm=solver.name))


def update_field(algorithm: Json, place: Place, has_reason: bool = True) -> FieldUpdate | None:
    """Return an algorithm's variant field for a new place; None if the algorithm has no variants."""
    try:
        solver = find(algorithm)
    except InvalidParams:
        return None
    if "variant" not in {param.name for param in solver.params.schema()}:
        return None
    return {
        "algorithm": solver.name,
        "options": options(solver, place),
        "missing": count_unavailable(solver, place, has_reason),
        "words": describe_variants(solver, place),
    }
