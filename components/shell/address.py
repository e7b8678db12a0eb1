"""A page's address bar: fills the form, and opens the run, race or study in the query."""

from collections.abc import Callable, Collection, Mapping
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import parse_qsl

from dash import ClientsideFunction, Dash, Input, Output, State, no_update

from components.shell import ids
from components.shell.callbacks import find_stored_id, in_thread
from components.shell.errors import REFUSALS
from components.shell.facts import localise, translate_word
from components.shell.start_button import keep_disabled
from components.shell.texts import common as text
from components.types import Json, Property
from data.suggest import describe_unknown
from solvers.core.errors import InvalidParams

#: Query fields that affect only the view, read by scripts (`assets/common/present/`).
VIEW = ("lang", "theme", "scale", "present", "guide", "climb", "move", "at")
#: Changes that an address makes, by the names of `AddressBar.outputs`; all other outputs stay unchanged.
Filled = dict[str, Property]


Service = TypeVar("Service")


class AddressBar(NamedTuple, Generic[Service]):
    """Describes a page's addresses.

    Attributes
    ----------
    kind : str
        Kind of object to open: ``run``, ``race`` or ``study``; also the key of its id in the page's store.
    store : str
        Id of the store with the open object.
    outputs : mapping of str to Output
        Outputs that an address may change: ``options`` of the menu of instances, ``note``, and the page's own.
    read_id : callable
        Returns the id in an address, as in the store, or None; takes the parsed query.
    open : callable
        Returns the changes for an address with an id, or None if this server does not have it; takes the page's
        service, the parsed query, and the options of the menu of instances, unchecked.
    fill : callable
        Returns the changes for an address that contains a spec; takes the service, the query as text, and the options.
    cleared_outputs : tuple of str
        Outputs that become None for an address without an object.
    """

    kind: str
    store: str
    outputs: Mapping[str, Output]
    read_id: Callable[[dict[str, str]], str | None]
    open: Callable[[Service, dict[str, str], Json], Filled | None]
    fill: Callable[[Service, str, Json], Filled]
    cleared_outputs: tuple[str, ...] = ()

    def read(self, service: Service, search: Json, stored: Json, options: Json) -> Filled:
        """Return the changes to the page for an address.

        Parameters
        ----------
        service : object
            Source of runs, races or studies.
        search : str
            Query of the address, with its question mark.
        stored : dict or None
            The open object; an address with the same id changes nothing.
        options : list of Option
            Options of the menu of instances, unchecked.
        """
        search = strip_view(search)
        current = find_stored_id(stored, self.kind)
        if not isinstance(search, str) or len(search) < 2:
            return dict.fromkeys(self.cleared_outputs) if current else {}
        try:
            query = dict(parse_qsl(search[1:], keep_blank_values=True, max_num_fields=64))
            name = self.read_id(query)
            if name and name == current:
                return {}
            contents = None if name is None else self.open(service, query, options)
            if contents is not None:
                return contents
            if name is not None and len(query) == 1:
                return _make_refusal(text("link.no-such", what=translate_word(self.kind)))
            filled = self.fill(service, search, options)
        except (*REFUSALS, ValueError) as refusal:
            return _make_refusal(refusal)
        if name is None:
            return filled
        return filled | {"note": text("link.not-here", what=translate_word(self.kind))}

    def register(self, app: Dash, service: Service) -> None:
        """Connect the address bar."""

        def answer(address: Json, stored: Json, options: Json) -> list[Property]:
            filled = self.read(service, find_stored_id(address, "search"), stored, options)
            return [filled.get(name, no_update) for name in self.outputs]

        app.clientside_callback(
            ClientsideFunction("address", "changed"),
            Output(ids.ADDRESS, "data"),
            Input(ids.URL, "search"),
            State(self.store, "data"),
        )
        app.callback(
            *self.outputs.values(),
            Input(ids.ADDRESS, "data"),
            State(self.store, "data"),
            State(self.outputs["options"].component_id, "options"),
            running=keep_disabled(),
        )(in_thread(answer))


def strip_view(search: Json) -> Json:
    """Return an address's query without the fields that only affect the view.

    Other values are returned unchanged.
    """
    if not isinstance(search, str) or not search.startswith("?"):
        return search
    fields = [field for field in search[1:].split("&") if field.partition("=")[0] not in VIEW]
    return "?" + "&".join(fields)


def parse_short_link(search: str, fields: Collection[str], other: str = "") -> dict[str, str]:
    """Return a short link's fields, such as ``?instance=kroA200``, which needs no ``v``.

    Raises
    ------
    InvalidParams
        If the link has fields other than `fields` and `other`, which is an alias of one of them.
    """
    query = dict(parse_qsl(search.lstrip("?"), max_num_fields=64))
    query.pop("v", None)
    for name, value in query.items():
        if name not in (*fields, other):
            raise InvalidParams(name, value, "left out", describe_unknown("field", name, fields))
    return query


def parse_sequences(text: str) -> list[list[str]]:
    """Return the algorithms in a short link, as on the command line: ``greedy/two-opt`` is 2-opt from a greedy tour."""
    return [stage.split("/") for stage in text.split(",")]


def _make_refusal(reason: object) -> Filled:
    return {"note": text("link.unusable", reason=localise(str(reason)))}


def join_query(*parts: str) -> str:
    """Join the non-empty parts of a query."""
    return "?" + "&".join(part for part in parts if part)
