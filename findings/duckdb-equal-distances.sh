#!/usr/bin/env bash
# DuckDB 2.0.1: among rows with equal distances arg_min takes one that depends on its threads, and
# each run may give another. A greedy tour made of it does not repeat. With one thread, or by
# ORDER BY distance, city LIMIT 1, the first row comes each time.
# Guess before the run: the first row each time.
# Seen: ten different rows in 15 runs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check duckdb==2.0.1
"$folder/venv/bin/python" - <<'PY'
import duckdb

connection = duckdb.connect()
connection.execute("CREATE TABLE cities AS SELECT range AS city, 5.0 AS distance FROM range(3_000_000)")


def find_nearest(query, threads):
    """Return the different answers in 30 runs."""
    connection.execute(f"SET threads = {threads}")
    return {connection.execute(query).fetchone()[0] for _ in range(30)}


NEAREST = "SELECT arg_min(city, distance) FROM cities"
many, one = find_nearest(NEAREST, 8), find_nearest(NEAREST, 1)
ordered = find_nearest("SELECT city FROM cities ORDER BY distance, city LIMIT 1", 8)
print(sorted(many), one, ordered)
assert len(many) > 1
assert one == ordered == {0}
PY
