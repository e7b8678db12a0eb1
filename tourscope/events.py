"""The events of a run, defined by the program: its `solvers/core/events.py` is loaded as this module.

In an installed package that file replaces this one.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location

from tourscope.program import PROGRAM

spec = spec_from_file_location(__name__, PROGRAM / "solvers" / "core" / "events.py")
assert spec
assert spec.loader
sys.modules[__name__] = module_from_spec(spec)
spec.loader.exec_module(sys.modules[__name__])
