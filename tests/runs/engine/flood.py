"""A worker program that writes endlessly and counts the written data in a file."""

import os
from pathlib import Path

count, piece = 0, b"x" * (1 << 15)
target = Path(os.environ["FLOOD"])
target.write_text("0")
while True:
    count += os.write(1, piece)
    target.with_suffix(".new").write_text(str(count))
    target.with_suffix(".new").rename(target)
