"""Parts of a page that a step can mark, by the names used in lessons; `assets/lesson/marks.js` finds them."""

from collections.abc import Collection, Iterable

from components.learn.exercise import Exercise
from solvers import find

#: Parts of each page, besides the parameters of the algorithm on Watch.
PARTS = {
    "watch": ("instance", "algorithm", "seed", "seconds", "device", "start", "length", "gap", "bound", "tour",
              "optimal", "views", "player", "tiles", "axis", "chart", "table"),
    "race": ("instance", "lanes", "seed", "seconds", "start", "tours", "player", "axes", "chart", "table"),
}  # fmt: skip


def allowed_marks(page: str, exercises: Iterable[Exercise | None]) -> Collection[str]:
    """Return the elements that a step may mark on a page, by name.

    Parameters
    ----------
    page : str
        ``watch`` or ``race``.
    exercises : iterable of Exercise or None
        Exercises of the lesson; the parameters of their algorithms can be marked.
    """
    runs = [exercise for exercise in exercises if exercise and exercise.page == "watch"] if page == "watch" else []
    params = [param.name for run in runs for name in run.algorithms for param in find(name).params.schema()]
    return (*PARTS[page], *params)
