"""A full disk, simulated in a process."""

import sqlite3
from contextlib import closing


def fill(_path: str) -> None:
    """Write to a database that cannot grow.

    Raises
    ------
    sqlite3.OperationalError
    """
    with closing(sqlite3.connect("")) as connection:
        connection.execute("PRAGMA max_page_count = 2")
        connection.execute("CREATE TABLE more (bytes)")
        connection.execute("INSERT INTO more VALUES (zeroblob(100000))")
