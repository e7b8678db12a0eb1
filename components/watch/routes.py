"""HTTP routes that start runs: scripts post the form or a drawn tour, and open the run faster than Dash."""

from functools import partial

from fastapi import FastAPI, Request
from fastapi.responses import Response

from components.shell.json_answer import json_answer, read_json
from components.types import Json, JsonObject
from components.watch.by_hand import start_by_hand
from components.watch.launch import launch
from runs.bounded_pool import run_in_thread
from runs.service import RunService
from runs.web.faults import INVALID


def add_start_route(app: FastAPI, run_service: RunService, base: str) -> None:
    """Add ``POST start`` to the FastAPI application `app` below `base`, which ends with a slash.

    The body is an object with the arguments of `components.algorithm.spec.build_spec`. The response contains
    ``run`` and ``search`` (the query of the address). With status 400, it contains ``note`` (a sentence) and ``wrong``
    (the id of the element with the refused value, if there is one).
    """

    @app.post(f"{base}start", include_in_schema=False)
    async def start(request: Request) -> Response:
        form = _check_form(await read_json(request))
        if form is None:
            return json_answer({"note": INVALID, "wrong": None}, 400)
        launched = await run_in_thread(launch, run_service, *form)
        if launched.run is None:
            return json_answer({"note": launched.note, "wrong": launched.wrong}, 400)
        return json_answer({"run": launched.run, "search": launched.search})


def add_hand_route(app: FastAPI, run_service: RunService, base: str) -> None:
    """Add ``POST by-hand`` to the FastAPI application `app`, below `base`.

    The body is an object with the arguments of `components.watch.by_hand.start_by_hand`. The response has ``run`` and
    ``search``; or, with status 400, ``note``, a sentence.
    """

    @app.post(f"{base}by-hand", include_in_schema=False)
    async def by_hand(request: Request) -> Response:
        fields = await read_json(request)
        if not isinstance(fields, dict) or set(fields) != {"what", "instance", "tour", "seed"}:
            return json_answer({"note": INVALID}, 400)
        launched = await run_in_thread(partial(start_by_hand, run_service, **fields))
        if launched.run is None:
            return json_answer({"note": launched.note}, 400)
        return json_answer({"run": launched.run, "search": launched.search})


def _check_form(form: Json) -> tuple[Json, str, JsonObject, *tuple[Json, ...]] | None:
    """Return the form's values; None unless a request has exactly these."""
    names = ("instance", "algorithm", "params", "seed", "seconds", "device", "threads")
    if not isinstance(form, dict) or set(form) != {*names}:
        return None
    instance, algorithm, params, *others = (form[name] for name in names)
    if not isinstance(algorithm, str) or not isinstance(params, dict):
        return None
    return instance, algorithm, params, *others
