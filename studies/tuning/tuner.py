"""Makes and judges a tuning study's trials in batches; the pool executes their runs."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from studies.file.reader import StudyReader
from studies.file.trials import count_trials
from studies.file.writer import Outcome, StudyFile
from studies.spec.space import list_initial_values
from studies.spec.spec import StudySpec
from studies.tuning.advice import AdvisorProcess
from studies.tuning.trials import Trial, find_references, find_winner

#: The entry of a tuning study whose parameters are tuned.
TUNED_ENTRY = 1
#: Reason for a trial's failure when one of its runs has no tour.
_NO_TOUR = "A run ended before it had a tour."
#: Reason shown if the tuned entry has no runs.
NOTHING_FOUND = "No trial with other parameters was completed, so there is nothing to compare."


@dataclass(frozen=True, slots=True)
class TrialRun:
    """A run of a trial.

    Attributes
    ----------
    trial, step : int
        Numbers of the trial and of the run in it.
    instance : int
        Index in `StudySpec.all_instances`.
    seed : int
    params : dict
        Parameters of the trial.
    entry : int
        Entry whose resources the run uses.
    """

    trial: int
    step: int
    instance: int
    seed: int
    params: dict[str, Any] = field(default_factory=dict, compare=False)
    entry: int = TUNED_ENTRY


class Tuner:
    """Makes a tuning study's trials; thread-safe.

    The trials of a batch are proposed together, from the results of all earlier batches, and their runs are executed in
    any order. Whether a trial is pruned after a run depends only on its own runs up to that one and on the earlier
    batches. So neither the number of cores nor an interruption changes the trials, as long as it does not change the
    runs.

    Parameters
    ----------
    file : StudyFile
    on_end : callable
        Called once all trials are over, with the spec whose tuned entry has the parameters found; None if there are
        none.
    enqueue : callable
        Called with the next runs in order.
    drop : callable
        Called with the number of a trial whose remaining runs must not be executed.
    """

    def __init__(
        self,
        file: StudyFile,
        on_end: Callable[[StudySpec | None], None],
        enqueue: Callable[[Sequence[TrialRun]], None],
        drop: Callable[[int], None],
    ) -> None:
        assert file.spec.tune is not None
        self._file, self._spec, self._tune = file, file.spec, file.spec.tune
        self._on_end, self._enqueue, self._drop = on_end, enqueue, drop
        self._lock, self._began, self._ended = threading.RLock(), False, False
        self._advice = AdvisorProcess(file.spec)
        self._places = [self._spec.training(step) for step in self._steps]
        with StudyReader(file.path) as reader:
            self._trials = list(reader.trials())
            self._known = [(row.optimum, row.proven) for row in reader.training]
        self._judged_counts = [0] * len(self._trials)
        self._batch = -1

    def begin(self) -> None:
        """Enqueue the first remaining runs; a second call does nothing."""
        with self._lock:
            if not self._began:
                self._began = True
                self._advance()

    def counts(self) -> dict[str, int]:
        """Return how many trial runs are ``finished``, and at most how many are ``waiting``."""
        with self._lock:
            return count_trials(self._spec, self._trials)

    def pending_runs(self) -> list[TrialRun]:
        """Return the runs of trials that are not proposed yet."""
        with self._lock:
            first = len(self._trials)
        trials = [Trial(k, {}, "running", 0, ()) for k in range(first, self._tune.trials)]
        return [self._run(trial, step) for trial in trials for step in self._steps]

    def record(self, run: TrialRun, outcome: Outcome, seconds: float) -> None:
        """Store a run's outcome and enqueue the next runs."""
        with self._lock:
            if not self._trials[run.trial].is_final:
                self._file.finish_trial_run(run.trial, run.step, outcome, seconds)
                self._record(run, outcome.result["length"], seconds)

    def record_failure(self, run: TrialRun, sentence: str) -> None:
        """Store why a run failed and enqueue the next runs."""
        with self._lock:
            if not self._trials[run.trial].is_final:
                self._file.fail_trial_run(run.trial, run.step, sentence)
                self._trials[run.trial] = replace(self._trials[run.trial], sentence=sentence)
                self._record(run, 0, 0.0)

    def close(self) -> None:
        """End the process that proposes trials, from any thread."""
        self._advice.close()

    @property
    def _steps(self) -> range:
        return range(self._tune.steps)

    def _record(self, run: TrialRun, length: int, seconds: float) -> None:
        trial = self._trials[run.trial]
        lengths = [*trial.lengths]
        lengths[run.step] = length
        self._trials[run.trial] = replace(trial, lengths=tuple(lengths), seconds=trial.seconds + seconds)
        self._judge(run.trial)
        self._advance()

    def _advance(self) -> None:
        """Proceed to the next batch with pending runs, or finish all trials."""
        while not self._ended and all(trial.is_final for trial in self._list_batch_trials()):
            if self._batch + 1 < self._tune.batches:
                self._batch += 1
                self._begin_batch()
            else:
                self._end()

    def _list_batch_trials(self) -> list[Trial]:
        """Return the current batch's trials."""
        first = self._batch * self._tune.batch
        return self._trials[first : first + self._tune.batch] if self._batch >= 0 else []

    def _begin_batch(self) -> None:
        first = self._batch * self._tune.batch
        count = min(self._tune.batch, self._tune.trials - first)
        if self._trials[first : first + count] and all(trial.is_final for trial in self._trials[first : first + count]):
            return  # trials of a resumed tuning study
        before = self._trials[:first]
        self._reference = find_references(self._spec, before, self._known)
        advice = self._advice.batch(self._batch, count, before, self._reference)
        self._save_importances(advice["importances"], before)
        if len(self._trials) == first:
            proposed = advice["trials"]
            if first == 0:
                proposed[0] = list_initial_values(self._spec)
            steps = self._tune.steps
            self._file.add_trials(first, proposed, steps)
            for params in proposed:
                self._trials.append(Trial(len(self._trials), params, "running", steps, (None,) * steps))
            self._judged_counts += [0] * count
        for trial in self._list_batch_trials():
            self._judge(trial.number)
        unfinished = [trial for trial in self._list_batch_trials() if not trial.is_final]
        self._enqueue([self._run(trial, k) for k in self._steps for trial in unfinished if trial.lengths[k] is None])

    def _run(self, trial: Trial, step: int) -> TrialRun:
        return TrialRun(trial.number, step, *self._places[step], trial.params)

    def _judge(self, number: int) -> None:
        """Judge a trial by its completed runs, one after another."""
        while not (trial := self._trials[number]).is_final:
            count = self._judged_counts[number] + 1
            if count > len(trial.lengths) or (length := trial.lengths[count - 1]) is None:
                return
            self._judged_counts[number] = count
            if length == 0:
                self._decide(trial, "failed", count, trial.sentence or _NO_TOUR)
            elif count == self._tune.steps:
                self._decide(trial, "complete", count)
            elif self._batch and self._advice.prunes(replace(trial, counted=count), self._reference):
                self._decide(trial, "pruned", count)

    def _decide(self, trial: Trial, state: str, counted: int, sentence: str = "") -> None:
        self._file.decide(trial.number, state, counted, sentence)
        self._trials[trial.number] = replace(trial, state=state, counted=counted, sentence=sentence)
        if state != "complete":
            self._drop(trial.number)

    def _save_importances(self, shares: dict[str, float], trials: Sequence[Trial]) -> None:
        if shares:
            self._file.set_importances(shares, sum(trial.state == "complete" for trial in trials))

    def _end(self) -> None:
        self._ended = True
        reference = find_references(self._spec, self._trials, self._known)
        last = self._advice.batch(self._tune.batches, 0, self._trials, reference)
        self._save_importances(last["importances"], self._trials)
        self._advice.close()
        best = find_winner(self._spec, self._trials, reference)
        self._on_end(None if best is None else self._spec.with_tuned(best.params))
