"""The command line: ``python -m papers``."""

import sys

from papers.cli import main

if __name__ == "__main__":
    sys.exit(main())
