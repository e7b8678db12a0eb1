"""The process that proposes trials: ``python -m studies.tuning.advisor``, with JSON lines in and out.

It is the only process that imports Optuna (T. Akiba, S. Sano, T. Yanase, T. Ohta, M. Koyama, "Optuna: A Next-generation
Hyperparameter Optimization Framework", 2019). It has no state: each request for a batch contains all earlier trials,
from which Optuna's study is rebuilt. So an interrupted tuning continues as if it had not been interrupted.
"""

import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import orjson
from optuna import create_study, importance, logging, pruners, samplers
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.exceptions import ExperimentalWarning
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState, create_trial

from studies.spec.ranges import Range

#: Minimum number of complete trials for computing the importance of parameters.
MIN_TRIALS = 10
#: Number of complete trials before which the median pruner does not prune.
_BEFORE_MEDIAN = 5


def make_distributions(ranges: Mapping[str, Any]) -> dict[str, BaseDistribution]:
    """Convert JSON parameter ranges to Optuna distributions."""
    return {name: _make_distribution(Range.from_json(name, value)) for name, value in ranges.items()}


def _make_distribution(each: Range) -> BaseDistribution:
    if each.choices:
        return CategoricalDistribution(each.choices)
    if each.integer:
        step = int(each.step or 1)
        return IntDistribution(int(each.low), int(each.last), log=each.log, step=step)
    return FloatDistribution(each.low, each.last, log=each.log, step=each.step)


def rebuild_study(request: Mapping[str, Any]) -> Study:
    """Recreate Optuna's study from the trials so far.

    A pruned trial counts as pruned in Optuna. A failed one has no gap, so it ranks below all others. A trial outside
    the ranges, which only the first with its original parameters can be, is left out.
    """
    space = make_distributions(request["vary"])
    ranges = {name: Range.from_json(name, value) for name, value in request["vary"].items()}
    seed = int(np.random.SeedSequence([request["seed"], request["batch"]]).generate_state(1)[0])
    study = create_study(sampler=samplers.TPESampler(seed=seed))
    valid = [each for each in request["trials"] if all(ranges[name].contains(v) for name, v in each["params"].items())]
    study.add_trials([_make_trial(trial, space, request["pruner"]) for trial in valid])
    return study


def _make_trial(each: Mapping[str, Any], space: dict[str, BaseDistribution], pruner: str) -> FrozenTrial:
    complete = each["state"] == "complete"
    return create_trial(
        state=TrialState.COMPLETE if complete else TrialState.PRUNED,
        value=float(np.mean(each["gaps"])) if complete else None,
        params=each["params"],
        distributions=space,
        intermediate_values={} if each["state"] == "failed" else _compute_steps(each["gaps"], pruner),
    )


def _compute_steps(gaps: Sequence[float], pruner: str) -> dict[int, float]:
    """Return a trial's intermediate values: the gaps of its runs, which are compared in pairs, or running means."""
    if pruner == "wilcoxon":
        return dict(enumerate(gaps))
    return {k: float(np.mean(gaps[: k + 1])) for k in range(len(gaps))}


def propose(study: Study, request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Propose the parameters of the next trials."""
    ranges = {name: Range.from_json(name, value) for name, value in request["vary"].items()}
    space = make_distributions(request["vary"])
    proposals = [study.ask(space).params for _ in range(request["count"])]
    return [{name: ranges[name].value(proposal[name]) for name in ranges} for proposal in proposals]


def should_prune(study: Study, request: Mapping[str, Any]) -> bool:
    """Return whether to prune a trial with these gaps."""
    pruner: pruners.BasePruner
    if request["pruner"] == "wilcoxon":
        pruner = pruners.WilcoxonPruner(n_startup_steps=request["instances"])
    else:
        pruner = pruners.MedianPruner(n_startup_trials=_BEFORE_MEDIAN, n_warmup_steps=request["instances"] - 1)
    intermediate = _compute_steps(request["gaps"], request["pruner"])
    trial = create_trial(state=TrialState.RUNNING, intermediate_values=intermediate, params={}, distributions={})
    return bool(pruner.prune(study, trial))  # a NumPy bool


def compute_importances(study: Study) -> dict[str, float]:
    """Return each parameter's share of the differences between trials (PED-ANOVA); empty if there are too few trials.

    S. Watanabe, A. Bansal, F. Hutter, "PED-ANOVA: Efficiently Quantifying Hyperparameter Importance in Arbitrary
    Subspaces" (2023).
    """
    complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    if len(complete) < MIN_TRIALS or len({trial.value for trial in complete}) < 2:
        return {}
    return {name: float(share) for name, share in importance.get_param_importances(study).items()}


def answer_request(study: Study | None, request: Mapping[str, Any]) -> tuple[Study, Any]:
    """Answer a request; also return the last batch's study."""
    if request["do"] == "prune":
        assert study is not None
        return study, should_prune(study, request)
    study = rebuild_study(request)
    shares = compute_importances(study)
    return study, {"trials": propose(study, request), "importances": shares}


def main() -> None:
    """Answer requests until the input ends."""
    logging.set_verbosity(logging.WARNING)
    warnings.simplefilter("ignore", ExperimentalWarning)
    study: Study | None = None
    for line in sys.stdin.buffer:
        study, value = answer_request(study, orjson.loads(line))
        sys.stdout.buffer.write(orjson.dumps(value) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
