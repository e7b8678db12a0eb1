"""Offers to prove an unknown optimum by Held-Karp, and says what it costs."""

import asyncio

from fastapi import FastAPI, Request
from fastapi.responses import Response

from components.algorithm import requirements
from components.algorithm.variants import make_machine
from components.instances.references import menu_value
from components.shell.json_answer import json_answer, read_json
from components.shell.texts import watch as text
from components.types import Json, JsonObject
from data.instance import Instance
from runs.service import RunService
from runs.visitors import current_visitor
from runs.web.faults import INVALID
from solvers.algorithms.held_karp.plan import MIN_CITIES, format_bytes, nonnegative_distances, plan_for
from solvers.core.devices import cpu_threads
from solvers.core.errors import InstanceTooLarge
from solvers.spec import RunSpec, Stage

#: Maximum number of cities for which a proof is offered: the layers fit into the memory of an ordinary machine.
MAX_CITIES = 30
_ALGORITHM = "held-karp"


class Prover:
    """Starts Held-Karp runs that prove the optima of other runs' instances.

    Parameters
    ----------
    run_service : runs.service.RunService
    """

    def __init__(self, run_service: RunService) -> None:
        self._run_service = run_service
        self._proving: dict[str, str] = {}  # the proving run of each instance, by hash

    def offer(self, run: str) -> JsonObject:
        """Return the offer for a run's instance.

        Returns
        -------
        dict
            ``state``: ``known`` if the optimum is known, ``none`` if nothing is offered, ``proving``, ``offered`` or
            ``refused``; ``says``: the cost, the reason for a refusal, or how the last attempt failed; ``by``: the
            current or last proving run.

        Raises
        ------
        NoSuchRun
        """
        facts = self._run_service.existing_summary(run)["instance"]
        if not MIN_CITIES <= facts["n"] <= MAX_CITIES:  # reading a large instance takes long
            return _offer("known" if facts["proven"] else "none")
        instance = self._run_service.run_instance(run)
        by = self._proving.get(instance.sha256)
        if instance.proven:
            return _offer("known", by=by)
        if instance.missing:
            return _offer("none")
        if by and self._run_service.active_run(by):
            return _offer("proving", text("prove.proving"), by)
        if refusal := self._find_refusal(run):
            return _offer("refused", refusal)
        return _offer("offered", self._describe_failure(by) or self._estimate_needs(instance), by)

    def start(self, run: str) -> JsonObject:
        """Start proving the optimum of a run's instance, unless known or in progress; return the same as `offer`.

        Raises
        ------
        NoSuchRun, InstanceTooLarge, DeviceUnavailable, RunFailed
        """
        offer = self.offer(run)
        if offer["state"] == "refused":
            raise InstanceTooLarge(offer["says"])
        if offer["state"] == "offered":
            sha256 = self._run_service.run_instance(run).sha256
            self._proving[sha256] = self._run_service.start(self._make_spec(run), current_visitor().id)
        return self.offer(run)

    def _make_spec(self, run: str) -> RunSpec:
        return RunSpec(self._run_service.reference_to(run), (Stage(_ALGORITHM, {}),))

    def _find_refusal(self, run: str) -> str:
        """Return a sentence saying why this machine cannot prove the optimum; empty if it can."""
        reference = menu_value(self._run_service.reference_to(run))
        note = requirements.make_note(self._run_service, _ALGORITHM, reference, "auto", self._run_service.status())
        return note.sentence if note.is_refusal else ""

    def _estimate_needs(self, instance: Instance) -> str:
        """Return a proof's memory and time; the time is unknown on GPUs."""
        plan = plan_for(nonnegative_distances(instance))
        memory = format_bytes(plan.peak_bytes)
        if make_machine(self._run_service.status()).gpus:
            return text("prove.needs.gpu", memory=memory)
        seconds = plan.seconds(cpu_threads())
        if seconds < 1:
            return text("prove.needs.quick", memory=memory)
        return text("prove.needs", time=requirements.approximate_time(seconds), memory=memory)

    def _describe_failure(self, by: str | None) -> str:
        """Return how the proving run ended; empty if there was none."""
        summary = self._run_service.summary(by) if by else None
        if summary is None:
            return ""
        return summary["reason"] if summary["state"] == "failed" else text("prove.stopped")


def _offer(state: str, says: str = "", by: str | None = None) -> JsonObject:
    return {"state": state, "says": says, "by": by}


def add_prove_routes(app: FastAPI, run_service: RunService, base: str) -> None:
    """Add ``GET prove?run={id}`` and ``POST prove`` with ``{"run": id}`` to `app`, below `base`; see `Prover`."""
    prover = Prover(run_service)

    @app.get(f"{base}prove", include_in_schema=False)
    def offer(run: str = "") -> Response:
        return json_answer(prover.offer(run))

    @app.post(f"{base}prove", include_in_schema=False)
    async def start(request: Request) -> Response:
        run = _find_run(await read_json(request))
        if run is None:
            return json_answer({"sentence": INVALID}, 400)
        return json_answer(await asyncio.to_thread(prover.start, run))


def _find_run(value: Json) -> str | None:
    """Return the run in a request; None if the page would not send it."""
    run = value.get("run") if isinstance(value, dict) and set(value) == {"run"} else None
    return run if isinstance(run, str) else None
