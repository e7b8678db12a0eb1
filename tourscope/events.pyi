from solvers.core.events import *  # noqa: F403
