"""``python -m solvers``: see `solvers.cli`."""

import sys

from solvers.cli import main

if __name__ == "__main__":
    sys.exit(main())
