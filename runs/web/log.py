"""The server's log: as it is written to the error output."""

import logging

#: Characters of a line, and lines of one message: what an error quotes may be as long as what somebody sent.
LINE, LINES = 1000, 60
_HEAD = LINES // 3


class BoundedFormatter(logging.Formatter):
    """A formatter that leaves out what is too long, also of tracebacks: of these the end says most."""

    def format(self, record: logging.LogRecord) -> str:
        lines = super().format(record).splitlines()
        left_out = len(lines) - LINES
        if left_out > 0:
            lines = [*lines[:_HEAD], f"... {left_out} lines are left out", *lines[_HEAD + left_out :]]
        return "\n".join(line if len(line) <= LINE else f"{line[:LINE]} ..." for line in lines)


def log_to_stderr() -> None:
    """Write what is logged, uvicorn's lines as well, to the error output."""
    handler = logging.StreamHandler()
    handler.setFormatter(BoundedFormatter("%(asctime)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler])
