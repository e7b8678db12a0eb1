"""The address bar of the race page: its query fills the setup, and opens the race that it names."""

from functools import partial
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import dash
from dash import Input, Output, State, no_update

from components.instances.picker import options_for
from components.instances.references import menu_value
from components.race import finished
from components.race import ids as race_ids_module
from components.race.setup import REFUSED, address, as_store, shown_race
from components.shell import ids
from components.shell.callbacks import in_thread
from components.shell.controls import slider_position
from components.shell.recent_menu import adopting
from components.shell.start import keep_disabled
from components.watch.launch import SECONDS
from runs.races.comparison import Compared, NotComparable
from runs.races.service import NoSuchRace
from runs.races.spec import RaceSpec


class Filled(NamedTuple):
    """What an address changes; an empty address changes nothing."""

    options: Any = no_update
    instance: Any = no_update
    lanes: Any = no_update
    seconds: Any = no_update
    seconds_slider: Any = no_update
    seed: Any = no_update
    race: Any = no_update
    note: Any = no_update


def read(races, search: Any, shown_now: Any, options: list[dict[str, Any]]) -> Filled:
    """What the page shows for an address.

    Parameters
    ----------
    races : runs.races.service.RaceService
    search : str
        The address's query, with its question mark.
    shown_now : dict or None
        The race that the page shows already: an address that names it changes nothing.
    options : list of dict
        Options of the instance menu.
    """
    if not isinstance(search, str) or len(search) < 2:
        return Filled()
    try:
        runs = finished.run_ids(search)
        named = finished.name_of(runs) if runs else dict(parse_qsl(search[1:], max_num_fields=8)).get("id")
        if named and named == shown_race(shown_now):
            return Filled()
        if runs is not None:
            return side_by_side(finished.read(races.run_service, runs), options)
        return _opened(races, named, search, options)
    except NotComparable as refusal:
        return Filled(note=str(refusal))
    except (*REFUSED, ValueError) as refusal:
        return Filled(note=f"This link cannot be used: {refusal}")


def side_by_side(comparison: Compared, options: list[dict[str, Any]]) -> Filled:
    """Finished runs, and the setup of a race of the same lanes."""
    seconds = comparison.budget or max(1.0, round(comparison.seconds, 3))
    return Filled(
        options=options_for(options, comparison.reference, comparison.instance),
        instance=menu_value(comparison.reference),
        lanes=list(comparison.lanes),
        seconds=seconds,
        seconds_slider=slider_position(SECONDS, seconds),
        seed=comparison.seed,
        race=finished.as_store(comparison),
        note="",
    )


def _opened(races, named: str | None, search: str, options: list[dict[str, Any]]) -> Filled:
    """The race of that id if this server has it, else the setup that the link contains."""
    try:
        race = races.find(named) if named else None
    except NoSuchRace:
        if "race=" not in search:
            raise
        filled = fill(races.run_service, RaceSpec.from_query(search), options)
        return filled._replace(note="The race of this link is not on this server; press Start to run it again.")
    if race is None:
        return fill(races.run_service, RaceSpec.from_query(search), options)
    return fill(races.run_service, race.spec, options)._replace(race=as_store(race, races.state(race.id)))


def fill(run_service, spec: RaceSpec, options: list[dict[str, Any]]) -> Filled:
    """The setup's values for a race.

    Raises
    ------
    InvalidInstance
        If there is no such instance.
    """
    return Filled(
        options=options_for(options, spec.instance, run_service.instance(spec.instance)),
        instance=menu_value(spec.instance),
        lanes=spec.to_json()["lanes"],
        seconds=spec.budget.seconds,
        seconds_slider=slider_position(SECONDS, spec.budget.seconds),
        seed=spec.seed,
        note="",
    )


def address_of(races, adopted: Any) -> Any:
    """The address of an uploaded race; unchanged if there is no race."""
    race = shown_race(adopted)
    try:
        return address(races.find(race)) if race else no_update
    except NoSuchRace:
        return no_update


def register(app: dash.Dash, races) -> None:
    """Connect the address bar."""

    app.callback(
        Output(ids.INSTANCE, "options"),
        Output(ids.INSTANCE, "value"),
        Output(race_ids_module.LANES, "data"),
        Output(race_ids_module.SECONDS, "value"),
        Output(race_ids_module.SECONDS_SLIDER, "value"),
        Output(race_ids_module.SEED, "value", allow_duplicate=True),
        Output(race_ids_module.RACE, "data", allow_duplicate=True),
        Output(race_ids_module.NOTE, "children", allow_duplicate=True),
        Input(ids.URL, "search"),
        State(race_ids_module.RACE, "data"),
        State(ids.INSTANCE, "options"),
        running=keep_disabled(race_ids_module.START),
        prevent_initial_call="initial_duplicate",
    )(in_thread(read, races))
    adopting(app, race_ids_module.ADOPTED, ids.URL, partial(address_of, races))
