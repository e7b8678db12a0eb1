"""Creates all pages and the services behind them, mostly on first use."""

from collections.abc import Callable, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from components.document.opening import Server, open_pages
from components.document.pages import LazyRoutes, insert_before_pages
from components.shell.paths import CLASS
from components.shell.paths import PAGES as PATHS
from components.watch.proving import add_prove_routes
from components.watch.routes import add_hand_route, add_start_route
from runs.engine.process import ProcessEngine
from runs.engine.protocol import Engine
from runs.lazy import Lazy, once
from runs.limits import UNLIMITED, Limits
from runs.service import RunService
from runs.web.health import add_health_route
from runs.web.openapi import add_description_route
from runs.web.routes import add_routes


class _Services:
    """The services behind the pages, each created on first use.

    Attributes
    ----------
    runs : RunService
    races, lessons : callable
        Return the service, always the same.
    studies, library, paper_jobs : Lazy
        The other services; the caller of `create` closes them.
    """

    def __init__(self, home: Path, runs: RunService) -> None:
        folder, self.runs = Path.cwd(), runs  # where studies started from the command line are saved
        self.races = once(lambda: resolve_name("runs.races.service:RaceService")(runs))
        self.lessons = once(lambda: resolve_name("components.learn.collection:Lessons")(home / "lessons"))
        self.studies = Lazy(lambda: resolve_name("runs.study_jobs.service:StudyService")(runs, home, [folder]))
        # created within a minute in any case, since it removes old entries from the trash
        self.library = Lazy(self._make_library, within=60)
        self.paper_jobs = Lazy(self._make_paper_jobs)
        self._home = home

    def _make_library(self) -> Any:
        return resolve_name("runs.library.service:Library")(self._home, self.runs, self.races(), self.studies())

    def _make_paper_jobs(self) -> Any:
        is_owner, make = self.runs.owners.is_owner, resolve_name("runs.paper_jobs.service:PaperJobs")
        return make(self.runs, self.studies(), self._home / "papers", is_owner=is_owner)


def create(
    home: Path,
    base: str,
    panels: Sequence[Any] = (),
    max_runs: int | None = None,
    shared: bool = False,
    limits: Limits = UNLIMITED,
    frames: bool = False,
    engine: Callable[[], Engine] = ProcessEngine,
    opened: Server | None = None,
) -> tuple[list[Any], tuple[Any, ...]]:
    """Create the pages' Dash applications and their services, which the caller closes.

    Each page is an application of its own, with its own layout, callbacks and scripts, on one server; all but the first
    are built on their first request. The `opened` server may already be answering requests.
    """
    services = _Services(home, RunService(home, engine, max_runs, shared, limits))
    run_service, races, studies, library = services.runs, services.races, services.studies, services.library
    opened = opened or open_pages(base)
    server, pages = opened.server, opened.pages
    with insert_before_pages(server):
        add_health_route(server, run_service, base)
        add_description_route(server, base)
        add_routes(server, run_service, base)
        add_start_route(server, run_service, base)
        add_hand_route(server, run_service, base)
        add_prove_routes(server, run_service, base)

    opened.parts.update(
        {
            "race": lambda: (races(), base),
            "study": lambda: (studies(), base),
            "library": lambda: (library(), run_service, base),
            "papers": lambda: (run_service, base),
            "learn": lambda: (run_service, services.lessons(), base),
            "watch": lambda: (run_service, panels, frames),
        }
    )
    pages[base].make()
    opened.on_demand.update({path: [page] for path, page in pages.items()})
    for path, part in _make_lazy_routes(server, base, services).items():
        opened.on_demand.setdefault(base + path, []).append(part)
    opened.ready.set_result(True)
    return list(reversed(pages.values())), (services.paper_jobs, library, studies, run_service)


def _make_lazy_routes(server: Any, base: str, services: _Services) -> dict[str, LazyRoutes]:
    """Return routes by the path whose first request adds them."""
    run_service, races, studies, library = services.runs, services.races, services.studies, services.library

    def race_parts() -> tuple[Any, ...]:
        from components.race import lanes

        return races(), base, lanes.series_style, "components.race.ending:describe_result"

    routes = {
        "runs/": LazyRoutes(server, "components.embed.routes:add_embed_routes", lambda: (run_service, base)),
        "studies/": LazyRoutes(server, "runs.study_jobs.routes:add_study_routes", lambda: (studies(), base)),
        PATHS["study"]: LazyRoutes(
            server,
            "components.study.first_view:add_first_view_route",
            lambda: (studies(), base + PATHS["study"]),
        ),
        "how/": LazyRoutes(server, "components.how.routes:add_how_routes", lambda: (base,)),
        "races/": LazyRoutes(server, "runs.races.routes:add_race_routes", race_parts),
        CLASS: LazyRoutes(
            server, "components.classroom.routes:add_class_routes", lambda: (run_service, library(), base)
        ),
        PATHS["library"]: LazyRoutes(
            server, "components.library.routes:add_library_routes", lambda: (library(), run_service, races(), base)
        ),
        PATHS["papers"]: LazyRoutes(
            server, "components.papers.routes:add_papers_routes", lambda: (services.paper_jobs(), base)
        ),
        PATHS["learn"]: LazyRoutes(
            server, "components.learn.routes:add_learn_routes", lambda: (services.lessons(), run_service, base)
        ),
    }
    # paths whose routes are added together with another path's
    aliases = {"docs/": "how/", "compared.gif/": "races/", "presets/": "studies/"}
    return routes | {path: routes[path_to_copy] for path, path_to_copy in aliases.items()}
