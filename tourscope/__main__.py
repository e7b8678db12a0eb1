"""``python -m tourscope``: the command ``tourscope``."""

import sys

from tourscope.command import main

sys.exit(main())
