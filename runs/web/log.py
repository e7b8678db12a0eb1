"""The server's log on standard error."""

import logging

#: Most characters of a line, and most lines of a message: errors may quote long requests.
LINE, LINES = 1000, 60
_HEAD = LINES // 3


class BoundedFormatter(logging.Formatter):
    """Shortens long messages and tracebacks: keeps their first and, mostly, their last lines."""

    def format(self, record: logging.LogRecord) -> str:
        lines = super().format(record).splitlines()
        left_out = len(lines) - LINES
        if left_out > 0:
            lines = [*lines[:_HEAD], f"... {left_out} lines are left out", *lines[_HEAD + left_out :]]
        return "\n".join(line if len(line) <= LINE else f"{line[:LINE]} ..." for line in lines)


def log_to_stderr() -> None:
    """Write all logs, including uvicorn's, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(BoundedFormatter("%(asctime)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler])
