"""Exports every run of a study as Parquet with the package pyarrow."""

from importlib.util import find_spec
from pathlib import Path

import orjson

from data.command_line import format_install_command
from data.files import EVERYBODY, write_whole
from studies.errors import MissingPackage
from studies.export.rows import COLUMNS, run_rows
from studies.file.reader import StudyReader

#: Message if pyarrow is missing.
MISSING = f"Parquet needs the package pyarrow: {format_install_command('pyarrow')}."


def is_missing() -> bool:
    """Return whether pyarrow is not installed."""
    return find_spec("pyarrow") is None


def check() -> None:
    """Check that pyarrow is installed.

    Raises
    ------
    MissingPackage
    """
    if is_missing():
        raise MissingPackage(MISSING)


def export(reader: StudyReader, path: Path) -> None:
    """Write a row per run with the same columns as the CSV; the metadata ``tourscope`` is the study's spec.

    Raises
    ------
    MissingPackage
    """
    check()
    import pyarrow
    from pyarrow import parquet

    kinds = {int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_(), str: pyarrow.string()}
    schema = pyarrow.schema(
        [(name, kinds[kind]) for name, kind in COLUMNS.items()],
        metadata={"tourscope": orjson.dumps(reader.spec.to_json())},
    )
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_pylist(run_rows(reader), schema=schema), sink)
    write_whole(path, sink.getvalue().to_pybytes(), EVERYBODY)
