"""The study page's address bar: fills the setup, and opens the study in the query."""

import json
from urllib.parse import parse_qsl, urlencode

from dash import Output

from components.instances.picker import instance_option, is_listed, with_option
from components.instances.references import menu_value
from components.shell import ids
from components.shell.address import AddressBar, Filled, join_query, parse_sequences, parse_short_link
from components.shell.callbacks import find_stored_id
from components.shell.texts import study as text
from components.study import ids as study_ids
from components.study import tune_setup
from components.study.entries import DEFAULT, entry
from components.types import Json, JsonObject, Payload
from data import plain_json
from data.errors import InvalidInstance
from runs.language import per_language
from runs.study_jobs.errors import NoSuchStudy
from runs.study_jobs.service import StudyService
from solvers.core.errors import InvalidParams
from solvers.spec import VERSION, parse_value
from studies.errors import InvalidStudy
from studies.spec.matrix import prepare_entries
from studies.spec.spec import StudySpec

#: Maximum length of a study in an address.
_MAX_TEXT = 16_000
#: Defaults of the setup.
INSTANCES = ["berlin52", "kroA100", "kroA200"]
SEEDS, SECONDS = 10, 1.0
#: The limits that have a field in the form, and their names.
LIMITS = per_language(lambda: {"seconds": text("limit.seconds"), "iterations": text("limit.iterations")})


def make_address(spec: StudySpec, study: str | None = None) -> str:
    """Return a study's query for the address bar, or its id if the study is too long for an address."""
    json_text = json.dumps(spec.to_json(), separators=(",", ":"))
    query = urlencode({"study": json_text}) if len(json_text) <= _MAX_TEXT else ""
    return join_query(query, f"id={study}" if study else "")


def parse_spec(search: str) -> StudySpec:
    """Return the study in a link: in full as JSON, or short such as ``?instances=kroA200&algorithms=two-opt``.

    Short links get the setup's defaults for missing values.

    Raises
    ------
    InvalidParams, InvalidInstance, DeviceUnavailable
    """
    spec = StudySpec.from_json(_parse_short_link(search) if is_short(search) else _parse_json(search))
    prepare_entries(spec)
    return spec


def is_short(search: str) -> bool:
    """Return whether a link is a short one, as typed by a person."""
    return "study" not in dict(parse_qsl(search[1:], max_num_fields=64))


def _parse_json(search: str) -> Json:
    json_text = dict(parse_qsl(search[1:], max_num_fields=64))["study"]
    try:
        return plain_json.loads(json_text[:_MAX_TEXT])
    except ValueError:
        raise InvalidParams("study", json_text, text("refusal.link")) from None


def _parse_short_link(search: str) -> dict[str, Payload]:
    fields = parse_short_link(search, ("instances", "algorithms", "seeds", "seconds"), "instance")
    names = fields.get("instances", fields.get("instance"))
    compared = [entry(*names) for names in parse_sequences(fields["algorithms"])] if "algorithms" in fields else DEFAULT
    return {
        "v": VERSION,
        "instances": [{"name": name} for name in (names.split(",") if names else INSTANCES)],
        "entries": compared,
        "seeds": {"count": parse_value(fields.get("seeds", str(SEEDS)))},
        "budget": {"seconds": parse_value(fields.get("seconds", str(SECONDS)))},
    }


def find_open_study(stored: Json) -> str | None:
    """Return the open study's id from its store, or None."""
    return find_stored_id(stored, "study")


def open_setup(studies: StudyService, query: dict[str, str], options: Json) -> Filled | None:
    """Open an address's study with its setup; None if this server lacks it."""
    study = query["id"]
    try:
        snapshot = studies.snapshot(study)
    except NoSuchStudy:
        return None
    except InvalidStudy:  # the results panel shows why and polls, since the file may become readable
        return {"open": {"study": study}, "note": ""}
    return fill(studies, snapshot.spec, options) | {"open": {"study": study}}


def fill_setup(studies: StudyService, search: str, options: Json) -> Filled:
    """Fill the setup from an address; refuse a short link with an unknown instance."""
    spec = parse_spec(search)
    if is_short(search):
        for reference in spec.instances:
            studies.run_service.instance(reference)
    return fill(studies, spec, options)


def fill(studies: StudyService, spec: StudySpec, options: Json) -> Filled:
    """Return the setup's values for a study; the note lists settings without a field in the form."""
    value, tune = spec.to_json(), spec.tune
    missing: list[JsonObject] = []
    listed: Payload = options
    for reference in spec.all_instances:
        if not is_listed(listed, menu_value(reference)):
            try:
                option = instance_option(reference, studies.run_service.instance(reference))
                listed = with_option(listed, option)
            except InvalidInstance:
                missing.append(reference)
    chosen, tested = (
        [menu_value(reference) for reference in references if reference not in missing]
        for references in ((spec.instances, ()) if tune is None else (tune.instances, spec.instances))
    )
    limit = next((name for name in LIMITS() if name in value["budget"]), None)
    setup = {
        "instances": chosen,
        "entries": value["entries"],
        "seeds": spec.seeds.count,
        "first": spec.seeds.first if tune is None else tune.seeds.first,
        "kind": "compare",
        "device": spec.device,
        "threads": spec.threads,
        "title": spec.title,
        "note": _describe_omissions(len(missing), [name for name in value["budget"] if name != limit]),
    }
    if tune is not None:
        apart = [] if set(tested) == set(chosen) else tested
        setup |= tune_setup.fill_fields(tune, value["entries"][0]["stages"][-1]["algorithm"], apart)
    budget = {"limit": limit, "amount": value["budget"][limit]} if limit else {}
    return setup | budget | ({} if listed is options else {"options": listed})


def _describe_omissions(instances: int, limits: list[str]) -> str:
    missing = [text("link.instances", count=instances)] if instances else []
    names = [text(f"limit.{name}") for name in limits]
    return " ".join([*missing, *([text("link.limits", limits=", ".join(names))] if names else [])])


#: Values of the form, by their names in `build_spec`.
FIELDS = {
    "instances": (study_ids.INSTANCES, "value"),
    "entries": (study_ids.ENTRIES, "data"),
    "seeds": (study_ids.SEEDS, "value"),
    "first": (study_ids.FIRST_SEED, "value"),
    "limit": (study_ids.LIMIT, "value"),
    "amount": (study_ids.AMOUNT, "value"),
    "device": (ids.DEVICE, "value"),
    "threads": (ids.THREADS, "value"),
    "title": (study_ids.TITLE, "value"),
    **tune_setup.FIELDS,
}
#: The callback's outputs: properties that other callbacks also change.
_OUTPUTS = {
    name: Output(component_id, property_name, allow_duplicate=True)
    for name, (component_id, property_name) in {
        **{name: field for name, field in FIELDS.items() if name != "tuned"},
        "options": (study_ids.INSTANCES, "options"),
        "open": (study_ids.OPEN, "data"),
        "note": (ids.START_NOTE, "children"),
        "given": (study_ids.TUNE_GIVEN, "data"),
    }.items()
}
BAR = AddressBar(
    "study", study_ids.OPEN, _OUTPUTS, lambda query: query.get("id") or None, open_setup, fill_setup,
    cleared_outputs=("open",),
)  # fmt: skip
