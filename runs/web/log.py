"""The server's log, on standard error or in a file."""

import json
import logging
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from data.sqlite_files import is_full, is_read_only

#: Maximum number of characters per line, and of lines per message, since errors may quote long requests.
LINE, LINES = 1000, 60
_HEAD = LINES // 3
#: Maximum size of a log file in bytes, and number of old log files kept.
_FILE_BYTES, _FILES = 10_000_000, 5


class BoundedFormatter(logging.Formatter):
    """Shortens long messages and tracebacks to their first and, mainly, their last lines.

    Errors of a full or read-only disk are not faults of the program and get no traceback.
    """

    def formatException(self, ei: Any) -> str:
        return str(ei[1]) if is_full(ei[1]) or is_read_only(ei[1]) else super().formatException(ei)

    def format(self, record: logging.LogRecord) -> str:
        lines = super().format(record).splitlines()
        left_out = len(lines) - LINES
        if left_out > 0:
            lines = [*lines[:_HEAD], f"... {left_out} lines are left out", *lines[_HEAD + left_out :]]
        return "\n".join(line if len(line) <= LINE else f"{line[:LINE]} ..." for line in lines)


class JsonFormatter(BoundedFormatter):
    """Formats messages as lines of JSON: ``at`` (UTC), ``level``, ``logger``, ``message``, with tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        values = {"at": at, "level": record.levelname, "logger": record.name, "message": super().format(record)}
        return json.dumps(values, ensure_ascii=False)


def set_up_log(path: Path | None = None, as_json: bool = False) -> None:
    """Configure all logs, including uvicorn's.

    Parameters
    ----------
    path : Path, optional
        A rotated file: at 10 MB it becomes ``path.1``, and so on up to ``path.5``. Standard error by default.
    as_json : bool
        Whether each message is a line of JSON.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    handler: logging.Handler = logging.StreamHandler()
    if path:
        handler = RotatingFileHandler(path, maxBytes=_FILE_BYTES, backupCount=_FILES, encoding="utf-8")
    handler.setFormatter(JsonFormatter() if as_json else BoundedFormatter("%(asctime)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
