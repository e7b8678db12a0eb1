#!/usr/bin/env bash
# SQLite 3.54.1 (apsw 3.54.1.0): when its write-ahead log cannot grow in the middle of a
# transaction, SQLite ends the transaction itself; a program that then rolls back, as after any
# error, gets a second error. What fits is written again at once. At the end a merge that does not
# fit is left for later: close() says nothing, and the log stays beside the file with all rows.
# Guess before the run: the transaction stays open until it is rolled back; close() raises.
# Seen: in_transaction is False after the first error, ROLLBACK fails; the rows are in the log.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check apsw==3.54.1.0
"$folder/venv/bin/python" - <<'PY'
import os
import resource
import signal
import tempfile
from pathlib import Path

import apsw

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a limit of a file's size stands for a full disk
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)


def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))


def execute(statement):
    """Run a statement; return the name of its error."""
    try:
        connection.execute(statement)
    except apsw.Error as error:
        return type(error).__name__
    return None


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "rows.db"
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode=wal").fetchall()
    connection.execute("CREATE TABLE rows (row)")
    connection.execute("INSERT INTO rows VALUES (1)")
    limit(200_000)
    connection.execute("BEGIN")
    count = 0
    while (error := execute("INSERT INTO rows VALUES (zeroblob(3000))")) is None:
        count += 1
    seen = (error, connection.in_transaction, execute("ROLLBACK"), execute("INSERT INTO rows VALUES (2)"))
    print(count > 50, *seen)
    assert seen == ("IOError", False, "SQLError", None)

    limit(most)
    for _ in range(30):
        connection.execute("INSERT INTO rows VALUES (zeroblob(3000))")
    limit(60_000)
    connection.close()
    log = os.path.exists(f"{path}-wal")
    limit(most)
    connection = apsw.Connection(str(path))
    (rows,) = connection.execute("SELECT count(*) FROM rows").fetchone()
    print(log, rows)
    assert log
    assert rows == 32
    connection.close()
PY
