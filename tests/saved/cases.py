"""The saved data: runs of every algorithm, links and command lines."""

from typing import Any
from urllib.parse import urlencode

#: Twelve cities that are in no instance list, as somebody uploads them.
UPLOAD = (
    b"NAME: dozen\nTYPE: TSP\nDIMENSION: 12\nEDGE_WEIGHT_TYPE: CEIL_2D\nNODE_COORD_SECTION\n1 0 0\n2 31 4\n3 8 40\n"
    b"4 55 12\n5 23.5 61\n6 70 70\n7 12 18\n8 44 33\n9 66 5\n10 3 77\n11 39 80\n12 90 41\nEOF\n"
)
UPLOAD_SHA256 = "{upload}"  # stands for what the release called it
CITIES = {"cities": [[0, 0], [3, 0], [3, 4], [0, 4], [7, 1], [6, 6], [1, 9], [8.5, 9]]}


def spec(instance: Any, *stages: Any, seed: int = 1, device: str = "cpu", **budget: Any) -> dict[str, Any]:
    """A run's spec, as sent by the page."""
    reference = {"name": instance} if isinstance(instance, str) else instance
    answer = [{"algorithm": name, "params": params} for name, params in stages]
    return {"v": 1, "instance": reference, "stages": answer, "seed": seed, "budget": budget, "device": device}


TWO_OPT, ANNEALING, GREEDY = "two-opt", "simulated-annealing", "greedy"
ANTS, MAX_MIN, ACS = "ant-system", "max-min-ant-system", "ant-colony-system"
NEAREST, RANDOM, GIVEN, HELD_KARP = "nearest-neighbour", "random", "given", "held-karp"
SLOW = {"steps": 20, "cooling": 0.8}


def ants(selection: str, variant: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return ANTS, {"selection": selection, "variant": variant, "iterations": 3, "ants": 8, **more}


def acs(two_opt: str, local_update: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return ACS, {"two_opt": two_opt, "local_update": local_update, "iterations": 4, "ants": 6, **more}


#: By the name of the file: what runs.
RUNS: dict[str, dict[str, Any]] = {
    "two-opt-sequential": spec("berlin52", (TWO_OPT, {"climbers": 4, "variant": "sequential"})),
    "two-opt-cpu": spec("berlin52", (TWO_OPT, {"climbers": 9, "variant": "cpu"}), seed=7, device="auto"),
    "two-opt-of-cards": spec("gr17", (TWO_OPT, {"climbers": 5, "exact": False, "devices": "all"}), seed=3),
    "two-opt-iterations": spec("burma14", (TWO_OPT, {}), iterations=8),
    "two-opt-evaluations": spec("berlin52", (TWO_OPT, {"variant": "sequential"}), evaluations=90_000),
    "two-opt-target": spec("gr17", (TWO_OPT, {"variant": "sequential"}), target=2090, seed=5),
    "two-opt-no-improvement": spec("burma14", (TWO_OPT, {"variant": "cpu"}), without_improvement=7),
    "annealing-sequential": spec("gr17", (ANNEALING, {"chains": 2, "variant": "sequential", **SLOW})),
    "annealing-cpu": spec(
        "berlin52",
        (ANNEALING, {"chains": 2, "variant": "cpu", "steps": 3, "cooling": 0.7, "acceptance": 0.05, "final": 0.1,
                     "neighbours": 8, "far": 0.2}),
        seed=11,
    ),
    "annealing-utne-hansen": spec(
        "burma14",
        (ANNEALING, {"chains": 1, "temperature": 74_088.0, "final": 1e-5, "far": 1.0, "steps": 2, "cooling": 0.6}),
    ),
    "ant-system-nearest-first": spec("berlin52", ants("nearest-first", "cpu", candidates=12, alpha=1.5, beta=3.0)),
    "ant-system-hybrid": spec("gr17", ants("hybrid", "sequential", switch=50.0, trials=3)),
    "ant-system-stochastic-trial": spec("gr17", ants("stochastic-trial", "cpu", trials=2), seed=4),
    "ant-system-with-compression": spec("burma14", ants("with-compression", "cpu", initial="one", rho=0.3)),
    "ant-system-without-compression": spec("burma14", ants("without-compression", "sequential", q=100.0)),
    "max-min-2-opt": spec("berlin52", (MAX_MIN, {"iterations": 3, "ants": 8, "variant": "cpu"}), seed=2),
    "max-min-none": spec(
        "gr17",
        (MAX_MIN, {"iterations": 5, "ants": 6, "variant": "sequential", "local_search": "none", "lists": False,
                   "rho": 0.2, "p_best": 0.1}),
    ),
    "max-min-colonies": spec(
        "burma14", (MAX_MIN, {"iterations": 6, "ants": 4, "colonies": 2, "patience": 2, "variant": "cpu"}), seed=9
    ),
    "acs-every-deferred": spec("berlin52", acs("every", "deferred", variant="cpu")),
    "acs-every-lockstep": spec("gr17", acs("every", "lockstep", variant="cpu"), seed=6),
    "acs-last-racy": spec("gr17", acs("last", "racy", variant="sequential", lists=False, candidates=16)),
    "acs-none-lockstep": spec("burma14", acs("none", "lockstep", variant="sequential", q0=0.5, rho=0.3, alpha=0.2)),
    "acs-none-deferred": spec("gr17", acs("none", "deferred", variant="cpu", candidates=0, beta=3.0)),
    "acs-racy": spec("gr17", acs("every", "racy", variant="cpu")),
    "acs-mpi": spec("gr17", acs("every", "deferred", variant="mpi", ranks=2)),
    "held-karp-cpu": spec("burma14", (HELD_KARP, {"variant": "cpu"})),
    "held-karp-sequential": spec("gr17", (HELD_KARP, {"variant": "sequential"})),
    "held-karp-of-three": spec({"cities": [[0, 0], [3, 0], [3, 4]]}, (HELD_KARP, {})),
    "greedy": spec("berlin52", (GREEDY, {})),
    "nearest-neighbour": spec("berlin52", (NEAREST, {"starts": 5}), seed=8),
    "random": spec("burma14", (RANDOM, {"samples": 60}), seed=2**53 - 1),
    "given": spec("burma14", (GIVEN, {"tour": [0, 9, 8, 10, 7, 12, 6, 11, 5, 4, 3, 2, 13, 1]})),
    "given-then-two-opt": spec("gr17", (GIVEN, {}), (TWO_OPT, {"climbers": 2, "variant": "cpu"})),
    "greedy-then-two-opt": spec("berlin52", (GREEDY, {}), (TWO_OPT, {"climbers": 2, "variant": "sequential"})),
    "nearest-then-annealing": spec("gr17", (NEAREST, {}), (ANNEALING, {"chains": 2, "variant": "cpu", **SLOW})),
    "three-stages": spec(
        "burma14", (RANDOM, {"samples": 3}), (TWO_OPT, {"climbers": 1}), (MAX_MIN, {"iterations": 2, "ants": 3}), seed=3
    ),
    "generated-uniform": spec({"generate": "uniform", "n": 20, "seed": 4}, (GREEDY, {})),
    "generated-clustered": spec(
        {"generate": "clustered", "n": 25, "seed": 2}, (NEAREST, {}), (TWO_OPT, {"climbers": 2})
    ),
    "cities": spec(CITIES, (TWO_OPT, {"climbers": 3})),
    "uploaded": spec({"sha256": UPLOAD_SHA256}, (TWO_OPT, {"climbers": 3, "variant": "cpu"})),
    "seconds": spec("burma14", (RANDOM, {"samples": 40}), seconds=5.0),
}  # fmt: skip
#: What has another end: one that fails for want of a tour, one that is cancelled, one whose server was killed.
FAILED = spec("burma14", (GIVEN, {"tour": [0, 1, 2]}))
LONG = spec("gr17", (ANTS, {"iterations": 1000, "ants": 4, "variant": "sequential"}))
#: Runs whose first climb is asked for as a picture.
PICTURED = ("two-opt-sequential", "greedy", "acs-every-deferred", "annealing-sequential")
#: Runs that are imported by an upload, by the whole way.
UPLOADED = ("two-opt-cpu", "max-min-2-opt", "held-karp-cpu")

RACE = {
    "v": 1, "instance": {"name": "gr17"}, "seed": 3, "budget": {"iterations": 4},
    "lanes": [
        {"stages": [{"algorithm": TWO_OPT, "params": {"climbers": 6, "variant": "cpu"}}], "device": "cpu"},
        {"stages": [{"algorithm": GREEDY, "params": {}}, {"algorithm": MAX_MIN, "params": {"ants": 3}}],
         "device": "cpu"},
    ],
}  # fmt: skip
STUDY = {
    "v": 1, "title": "Small of two", "device": "cpu", "threads": 1,
    "instances": [{"name": "burma14"}, {"sha256": UPLOAD_SHA256}],
    "entries": [
        {"label": "2-opt", "stages": [{"algorithm": TWO_OPT, "params": {"climbers": 6}}]},
        {"label": "ants", "stages": [{"algorithm": ANTS, "params": {"ants": 4}}]},
        {"label": "greedy, 2-opt", "stages": [
            {"algorithm": GREEDY, "params": {}}, {"algorithm": TWO_OPT, "params": {"climbers": 2}}]},
    ],
    "seeds": {"first": 4, "count": 2}, "budget": {"iterations": 6},
}  # fmt: skip


def query(**fields: Any) -> str:
    """The query of an address."""
    return "?" + urlencode({name.replace("__", "."): value for name, value in fields.items()})


#: Addresses of the Watch page that spell a run out: those of the page, and those that people type.
WATCH = [
    *("?instance=berlin52&algorithm=" + name for name in (
        TWO_OPT, ANNEALING, ANTS, MAX_MIN, ACS, HELD_KARP, GREEDY, NEAREST, RANDOM, GIVEN)),
    "?v=1&instance=kroA100&algorithm=two-opt&climbers=20&variant=sequential&seed=7&device=cpu&budget.seconds=5.0",
    "?v=1&instance=pr1002&algorithm=two-opt&climbers=1000&variant=auto&exact=true&devices=one&seed=1&device=auto",
    "?v=1&instance=pr1002&algorithm=two-opt&climbers=1000&variant=multi-move&exact=false&devices=all&seed=1&device=cuda",
    query(v=1, instance="kroA100", algorithm=ANNEALING, chains=4, steps=100, cooling=0.9, acceptance=0.02,
          temperature=0.0, final=0.1, neighbours=7, far=0.25, variant="auto", seed=12, device="auto"),
    query(v=1, instance="berlin52", algorithm=ANTS, iterations=50, ants=0, alpha=1.0, beta=4.0, rho=0.25, candidates=20,
          selection="stochastic-trial", trials=5, switch=70.0, q=2.0, initial="one", deposit="rows", graph="false",
          variant="block", seed=2, device="cuda", budget__seconds=2.5),
    query(v=1, instance="berlin52", algorithm=MAX_MIN, iterations=40, ants=20, alpha=1.0, beta=3.0, rho=0.1,
          candidates=15, local_search="none", lists="false", p_best=0.01, patience=0, colonies=3, variant="cpu"),
    query(v=1, instance="att532", algorithm=ACS, iterations=30, ants=64, two_opt="last", q0=0.95, beta=2.5,
          local_update="racy", rho=0.2, alpha=0.05, lists="false", candidates=0, ranks=4, variant="mpi", device="cpu"),
    query(v=1, instance="gr21", algorithm=HELD_KARP, ranks=3, variant="mpi", seed=0),
    query(v=1, instance='{"generate":"uniform","n":200,"seed":5}', algorithm=NEAREST, starts=10, budget__seconds=60),
    query(v=1, instance='{"generate":"clustered","n":1000,"seed":1}', algorithm=RANDOM, samples=5),
    query(v=1, instance='{"cities":[[0,0],[3,0],[3,4.5],[0,4]]}', algorithm=GREEDY),
    query(v=1, instance="berlin52", seed=3, device="cpu", budget__iterations=100, budget__target=7600,
          budget__evaluations=1000000, budget__without_improvement=9,
          stages='[{"algorithm":"greedy","params":{}},{"algorithm":"two-opt","params":{"climbers":3}}]'),
    query(v=1, instance="berlin52", stages='[{"algorithm":"given"},{"algorithm":"two-opt","params":{}}]'),
    "?instance=berlin52&algorithm=two-opt&seed=9007199254740991",
    "?v=2&instance=berlin52&algorithm=two-opt", "?instance=berlin52&algorithm=nothing", "?algorithm=two-opt",
    "?instance=nowhere&algorithm=two-opt", "?instance=berlin52&algorithm=two-opt&climbers=0",
    "?instance=berlin52&algorithm=two-opt&unknown=1",
]  # fmt: skip
#: Addresses of the library's page.
LIBRARY = [
    "", "?q=greedy", "?q=the%20best%20one", "?kind=race", "?kind=run&kind=study", "?algorithm=two-opt",
    "?algorithm=greedy&algorithm=held-karp&lanes=1", "?instance=gr17&sort=length", "?tag=good",
    "?state=failed&state=stopped", "?sort=name", "?sort=gap&up=0", "?sort=size", "?sort=seconds&up=1", "?lanes=1",
    "?sort=nothing&from=7", "?compare=aaaaaaaaaaaa,bbbbbbbbbbbb", "?from=1000", "?q=nothing%20like%20it",
]  # fmt: skip
#: Command lines of ``python -m solvers run`` and ``study INSTANCE`` that are read, but not run.
READ = [
    ["run", "berlin52", "two-opt"],
    ["run", "uniform:300:7", "two-opt", "--climbers", "50", "--variant", "cpu", "--seed", "4", "--time", "2.5"],
    ["run", "clustered:40:2", "simulated-annealing", "--preset", "utne-hansen", "--steps=20", "--device", "cpu"],
    ["run", "kroA100", "ant-system", "--preset", "bitner", "--selection", "hybrid", "--device", "cpu", "--json"],
    ["run", "kroA100", "ant-colony-system", "--preset", "qin-han", "--engine", "mpi"],
    ["run", "kroA100", "ant-colony-system", "--preset", "dorigo-gambardella", "--two-opt", "last"],
    ["run", "kroA100", "max-min-ant-system", "--preset", "plain", "--p-best", "0.1", "--local-search=none"],
    ["run", "gr21", "held-karp", "--engine", "mpi"],
    ["run", "gr21", "held-karp", "--variant", "mpi", "--ranks", "2"],
    ["run", "pr1002", "two-opt", "--devices", "all", "--exact", "false", "--device", "cuda"],
    ["study", "kroA100"],
    ["study", "kroA100", "--climbers", "1,5,20", "--seeds", "3", "--first-seed", "11", "--variant", "sequential",
     "--device", "cpu", "--json"],
]  # fmt: skip
#: Those of a study of many algorithms.
READ_STUDIES = [
    ["study", "--instances", "kroA100,berlin52", "--algorithms", "two-opt,ant-system:beta=3", "--seconds", "1"],
    ["study", "--instances", "uniform:50:1", "--algorithms",
     "mine=greedy/two-opt:climbers=5,simulated-annealing:final=0.1", "--over", "climbers=5,10", "--seeds", "4"],
    ["study", "--instances", "gr17", "--algorithms", "ant-colony-system:two-opt=last:local_update=lockstep",
     "--over", "q0=0.5,0.9", "--iterations", "20", "--first-seed", "7", "--device", "cpu", "--threads", "2",
     "--title", "Of q0", "--csv", "runs.csv", "--latex", "table.tex", "--iohprofiler", "folder"],
    ["study", "--instances", "gr17,gr21", "--algorithms", "held-karp,max-min-ant-system:local-search=none",
     "--evaluations", "500", "--without-improvement", "3", "--cores", "1"],
]  # fmt: skip
#: Command lines that are run, and print JSON.
RUN = [
    ["solvers", "run", "berlin52", "two-opt", "--climbers", "20", "--variant", "sequential", "--seed", "3"],
    ["solvers", "run", "gr17", "simulated-annealing", "--chains", "2", "--steps", "10", "--device", "cpu"],
    ["solvers", "run", "burma14", "ant-system", "--iterations", "5", "--selection", "hybrid", "--variant", "cpu"],
    ["solvers", "run", "burma14", "max-min-ant-system", "--iterations", "5", "--ants", "6", "--device", "cpu"],
    ["solvers", "run", "burma14", "ant-colony-system", "--iterations", "5", "--two-opt", "last", "--device", "cpu"],
    ["solvers", "run", "burma14", "held-karp", "--device", "cpu"],
    ["solvers", "run", "uniform:60:3", "greedy"],
    ["solvers", "run", "clustered:30:1", "nearest-neighbour", "--starts", "4", "--seed", "2"],
    ["solvers", "run", "gr17", "random", "--samples", "50"],
    ["solvers", "run", "gr17", "given"],
    ["solvers", "study", "burma14", "--climbers", "1,4", "--seeds", "2", "--variant", "sequential"],
]
#: Command lines that are refused.
REFUSED = [
    ["solvers"], ["solvers", "run"], ["solvers", "study"], ["solvers", "run", "berlin52", "nothing"],
    ["solvers", "run", "nowhere", "two-opt"], ["solvers", "run", "berlin52", "two-opt", "--climbers", "0"],
    ["solvers", "run", "berlin52", "two-opt", "--steps", "1"],
    ["solvers", "run", "berlin52", "greedy", "--device", "cuda"],
    ["solvers", "study", "--instances", "gr17"], ["solvers", "study", "missing.tourstudy"],
    ["data", "show", "nowhere"], ["data", "check", "missing.tsp"],
]  # fmt: skip
#: What `python -m data` tells.
FACTS = [
    ["data", "list"], ["data", "show", "berlin52"], ["data", "show", "burma14"], ["data", "show", "gr17"],
    ["data", "show", "att48"], ["data", "show", "uniform:100:1"], ["data", "show", "clustered:50:3"],
    ["data", "check", "UPLOAD"],
]  # fmt: skip
#: Solvers of a user's own, by the class in `own_solver`.
OWN = {
    "Swaps": ["burma14", "swaps", "--climbers", "3", "--keen", "true", "--seed", "5"],
    "Backwards": ["gr17", "backwards", "--by", "2"],
    "Crumbs": ["burma14", "crumbs", "--iterations", "4", "--ants", "3", "--rho", "0.25", "--seed", "2"],
    "Exhaustive": ["uniform:8:1", "exhaustive"],
}
