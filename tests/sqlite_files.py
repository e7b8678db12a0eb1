"""Changes the SQLite files of runs and studies as a damaged or foreign program would."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


def change(path: Path, statement: str, *values: Any) -> None:
    """Execute a statement with values, or a script without any."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement, values) if values else connection.executescript(statement)
        connection.commit()
