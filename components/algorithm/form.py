"""The choice of an algorithm: menu, one-sentence description, and form of parameters.

On the pages of races and studies all runs share one budget, which ends them. `has_budget` is then true: an
algorithm's number of iterations starts at its maximum, and no preset changes it.
"""

import asyncio
from collections.abc import Sequence

from dash import ALL, ClientsideFunction, Dash, Input, Output, State, html

from components.algorithm import presets, recommending, variants
from components.algorithm.variants import Place
from components.instances.picker import describe_cities
from components.instances.references import parse_reference
from components.shell import facts, ids
from components.shell.callbacks import in_thread, inputs, outputs, states
from components.shell.controls import live_note, menu, parameter_field
from components.shell.errors import describe_refusal
from components.shell.start_button import keep_disabled
from components.shell.texts import common as text
from components.types import Json, JsonObject, Option
from data.errors import InvalidInstance
from runs.bounded_pool import run_in_thread
from runs.service import RunService
from runs.translation import translate
from solvers import SOLVERS, find
from solvers.core.errors import InvalidParams
from solvers.core.params import Param
from solvers.core.solver import Preset, Solver, is_exact
from solvers.user_files.solver_file import FileSolver
from studies.spec.open_ended import max_iterations


def panel(status: JsonObject, has_budget: bool = False) -> list:
    """Return the menu and form, initially for the first algorithm; for single runs, also a recommendation."""
    first, options = SOLVERS[0], _options()
    ask, recommended = ([], []) if has_budget else ([recommending.opener()], [recommending.panel()])
    return [
        html.Div(
            [
                html.Div(
                    [
                        html.Label(text("algorithm.label"), htmlFor=ids.ALGORITHM, className="field-label"),
                        *ask,
                        html.Button(text("algorithm.how"), id="how-open", type="button", className="link"),
                    ],
                    className="field-head",
                ),
                menu(ids.ALGORITHM, options, first.name, searchable=False),
                *recommended,
                live_note(ids.ALGORITHM_NOTE, translate(first.summary)),
            ],
            className="field",
        ),
        html.Div(
            fields(first, initial_params(first, has_budget), Place(status), has_budget),
            id=ids.FORM,
            className=form_style(status),
        ),
    ]


def _options() -> list[Option]:
    """Return the menu's options, with a heading above users' solvers and another above the program's."""
    own = [_option(solver) for solver in SOLVERS if solver.listed and isinstance(solver, FileSolver)]
    others = [_option(solver) for solver in SOLVERS if solver.listed and not isinstance(solver, FileSolver)]
    if not own:
        return others
    yours = _heading("yours", text("algorithm.yours", count=len(own)))
    return [yours, *own, _heading("others", text("algorithm.others")), *others]


def _heading(name: str, words: str) -> Option:
    """Return a heading in the menu, which cannot be selected."""
    label = html.Span(words, className="option-heading")
    return {"value": f"heading:{name}", "label": label, "search": "", "title": "", "disabled": True}


def _option(solver: Solver) -> Option:
    label = html.Span(translate(solver.title), className="option-name")
    missing = solver.missing()
    return {
        "value": solver.name, "label": label, "search": translate(solver.title),
        "title": missing or f"{solver.family}: {solver.source}", "disabled": bool(missing),
    }  # fmt: skip


def form_style(status: Json) -> str:
    """Return the form's CSS classes, which hide GPU parameters if there is no GPU."""
    return "form" if variants.make_machine(status).gpus else "form no-gpu"


def initial_params(solver: Solver, has_budget: bool) -> JsonObject:
    """Return a newly chosen algorithm's parameters that differ from their defaults."""
    return max_iterations(solver) if has_budget else {}


def fields(
    solver: Solver, values: JsonObject, place: Place, has_budget: bool = False, own: Sequence[Preset] = ()
) -> list:
    """Return the presets, and a control per parameter with its value or default; advanced parameters are folded."""
    controls: list = presets.field(solver, values, initial_params(solver, has_budget), own)
    advanced: list = []
    for param in solver.params.schema():
        control = _field(solver, param, values.get(param.name, param.default), place, has_budget)
        (advanced if param.advanced else controls).append(control)
    if not advanced:
        return controls
    return [*controls, html.Details([html.Summary(text("algorithm.more")), *advanced], className="more")]


def _field(solver: Solver, param: Param, value: Json, place: Place, has_budget: bool) -> html.Div:
    if param.name == "variant":
        return variants.field(solver, param, value, place, has_reason=has_budget)  # otherwise Start's note has it
    field = parameter_field(param, value)
    return html.Div(field, className="gpu-only") if param.gpu else field


def build_form(
    algorithm: Json, permalink: Json, place: Place, has_budget: bool = False, own: Sequence[Preset] = ()
) -> tuple[list, str]:
    """Return an algorithm's form and description, with the requested parameters if they belong to it.

    The parameters come from the address bar, or from the edited lane or entry. A missing number of iterations gets its
    default, as in the run.
    """
    try:
        solver = find(algorithm)
    except InvalidParams as refusal:
        return [], describe_refusal(refusal)
    if not solver.listed:  # the page has no control for its parameters
        return [], translate(solver.summary)
    requested = _read_request(solver, permalink)
    params = initial_params(solver, has_budget) if requested is None else requested
    return fields(solver, params, place, has_budget, own), translate(solver.summary)


def _read_request(solver: Solver, permalink: Json) -> JsonObject | None:
    """Return the valid parameters in the page's store if they belong to this solver, else None."""
    if not isinstance(permalink, dict) or permalink.get("algorithm") != solver.name:
        return None
    params = permalink.get("params")
    if not isinstance(params, dict):
        return {}
    return {param.name: params[param.name] for param in solver.params.schema() if _can_be(param, params)}


def _can_be(param: Param, params: JsonObject) -> bool:
    try:
        return param.name in params and param.check(params[param.name]) is not None
    except InvalidParams:
        return False


def choose_hints(run_service: RunService, value: Json, algorithm: Json) -> dict[str, str | None]:
    """Return an empty canvas's hints for many, one and no climbers, and the parameter that sets their number."""
    try:
        solver, instance = find(algorithm), run_service.instance(parse_reference(value))
    except (InvalidParams, InvalidInstance):
        return {"parameter": None, "none": ""}
    place_words, counted = describe_cities(instance), solver.iterations_param()
    if is_exact(solver):
        return {"parameter": None, "none": text("hint.exact", algorithm=translate(solver.title), places=place_words)}
    if not counted:
        return {
            "parameter": None,
            "none": text("hint.construction", algorithm=translate(solver.title), places=place_words),
        }
    unit = solver.iteration_unit
    units = facts.translate_plural(unit)
    return {
        "parameter": counted.name,
        "many": text("hint.many", number="{number}", units=units, places=place_words),
        "one": text("hint.single", unit=facts.translate_unit(unit), places=place_words),
        "none": text("hint.some", units=facts.capitalise(units), places=place_words),
    }


def register_form(
    app: Dash,
    run_service: RunService,
    running: list[tuple[Output, bool, bool]] | None = None,
    has_budget: bool = False,
) -> None:
    """Connect the menu to the form.

    Parameters
    ----------
    app : dash.Dash
    run_service : runs.service.RunService
    running : list, optional
        Outputs to disable while the form of another algorithm is loading; see `dash.Dash.callback`.
    has_budget : bool
    """
    presets.register(app)

    @app.callback(
        *outputs("children", ids.FORM, ids.ALGORITHM_NOTE),
        Input(ids.ALGORITHM, "value"),
        Input(ids.PERMALINK, "data"),
        State(ids.STATUS, "data"),
        *states("value", ids.DEVICE, ids.INSTANCE),
        running=running,
    )
    async def form(algorithm: Json, permalink: Json, status: Json, device: Json, instance: Json) -> tuple[list, str]:
        place = await run_in_thread(variants.find_place, run_service, status, device, instance)
        own_presets = await asyncio.to_thread(run_service.presets.list_visible, str(algorithm))
        return build_form(algorithm, permalink, place, has_budget, [preset.preset.listed for preset in own_presets])

    @app.callback(
        Output(ids.FORM, "className"),
        Output(ids.VARIANTS_HERE, "data"),
        Input(ids.STATUS, "data"),
        *inputs("value", ids.DEVICE, ids.INSTANCE),
        State(ids.ALGORITHM, "value"),
    )
    async def update(
        status: Json, device: Json, instance: Json, algorithm: Json
    ) -> tuple[str, variants.FieldUpdate | None]:
        place = await run_in_thread(variants.find_place, run_service, status, device, instance)
        return form_style(status), variants.update_field(algorithm, place, has_reason=has_budget)

    app.clientside_callback(ClientsideFunction("form", "moveVariants"), Input(ids.VARIANTS_HERE, "data"))
    app.clientside_callback(
        ClientsideFunction("form", "sayVariant"),
        Output(ids.variant(ALL, "note"), "children"),
        Input(ids.parameter(ALL), "value"),
        Input(ids.variant(ALL, "words"), "data"),
        State(ids.parameter(ALL), "id"),
        prevent_initial_call=False,
    )


def register(app: Dash, run_service: RunService) -> None:
    """Connect the menu to the form, and the hint to both."""
    register_form(app, run_service, keep_disabled())

    app.callback(
        Output(ids.HINT_WORDS, "data"),
        *inputs("value", ids.INSTANCE, ids.ALGORITHM),
    )(in_thread(choose_hints, run_service))

    app.clientside_callback(
        ClientsideFunction("form", "hint"),
        Output(ids.HINT, "children"),
        Input(ids.HINT_WORDS, "data"),
        Input(ids.parameter(ALL), "value"),
        State(ids.parameter(ALL), "id"),
        prevent_initial_call=False,
    )
