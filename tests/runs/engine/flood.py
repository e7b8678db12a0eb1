"""A worker's program that writes without end, and counts in a file what it has got rid of."""

import os
from pathlib import Path

count, piece = 0, b"x" * (1 << 15)
target = Path(os.environ["FLOOD"])
target.write_text("0")
while True:
    count += os.write(1, piece)
    target.with_suffix(".new").write_text(str(count))
    target.with_suffix(".new").rename(target)
