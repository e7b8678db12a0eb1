"""TourScope in Python: solvers of the Travelling Salesman Problem, run in processes of their own.

``solve`` and ``run`` (`solving`) take an instance and an algorithm; ``instances`` and ``algorithms`` (`collection`)
list those available; ``view`` and ``race`` (`notebook`) show runs in a notebook. This package imports nothing of the
program, whose packages are only on the path of its own processes (`program`). They are called through pipes (`caller`,
`frames`). `command` is the command ``tourscope``.

Examples
--------
>>> import tourscope as ts
>>> ts.solve("berlin52", ts.TwoOpt(climbers=200), seconds=10, seed=1).optimum
7542
"""

from tourscope import algorithm_classes, events
from tourscope.algorithm import Algorithm, Own
from tourscope.algorithm_classes import *  # noqa: F403 - its `__all__` lists the classes
from tourscope.collection import InstanceCard, algorithms, instances
from tourscope.errors import (
    DeviceUnavailable,
    InstanceTooLarge,
    InstanceWarning,
    Interrupted,
    InvalidInstance,
    InvalidParams,
    RunFailed,
    TourScopeError,
)
from tourscope.notebook import race, view
from tourscope.result import Result
from tourscope.solving import Run, run, solve

__all__ = [
    "Algorithm",
    "DeviceUnavailable",
    "InstanceCard",
    "InstanceTooLarge",
    "InstanceWarning",
    "Interrupted",
    "InvalidInstance",
    "InvalidParams",
    "Own",
    "Result",
    "Run",
    "RunFailed",
    "TourScopeError",
    "algorithms",
    "events",
    "instances",
    "race",
    "run",
    "solve",
    "view",
]
__all__ += algorithm_classes.__all__
