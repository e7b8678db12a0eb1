"""Default titles of studies."""

from collections.abc import Collection, Sequence

from solvers import SOLVERS
from studies.spec.spec import StudySpec

#: Maximum number of names of entries, and of instances, in a title.
_MAX_ENTRIES, _MAX_INSTANCES = 2, 3


def make_study_title(spec: StudySpec, instances: Sequence[str], training: Sequence[str] = ()) -> str:
    """Return a study's own title, or a default such as ``3 algorithms on berlin52, kroA100; 10 seeds``.

    Parameters
    ----------
    spec : StudySpec
    instances, training : sequence of str
        Names of the study's instances, and of the training instances of a tuning study.
    """
    if spec.tune is not None and not spec.title:
        return f"Tuning of {spec.entries[0].label} on {_describe_instances(training)}; {spec.tune.trials:,} trials"
    algorithms = {stage.algorithm for entry in spec.entries for stage in entry.stages}
    return spec.title or describe([entry.label for entry in spec.entries], algorithms, instances, spec.seeds.count)


def describe(labels: Sequence[str], algorithms: Collection[str], instances: Sequence[str], seeds: int) -> str:
    """Describe a study by what it compares: labels, algorithms, instances and seeds."""
    if len(labels) <= _MAX_ENTRIES:
        subject = " and ".join(labels)
    elif len(algorithms) == 1:
        subject = f"{len(labels)} settings of {_shorten_title(*algorithms)}"
    else:
        subject = f"{len(labels)} algorithms"
    return f"{subject} on {_describe_instances(instances)}; {seeds:,} seed{'' if seeds == 1 else 's'}"


def _describe_instances(instances: Sequence[str]) -> str:
    """Return the names if there are only a few, otherwise how many there are."""
    return f"{len(instances)} instances" if len(instances) > _MAX_INSTANCES else ", ".join(instances)


def _shorten_title(algorithm: str) -> str:
    """Return an algorithm's title up to its comma; its name if this release lacks it."""
    titles = {solver.name: solver.title for solver in SOLVERS}
    return titles.get(algorithm, algorithm).partition(",")[0]
