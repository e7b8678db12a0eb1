from solvers.events import *  # noqa: F403
