"""What a function returns that computes an answer, and why it may return none."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers.errors import DeviceUnavailable, InstanceTooLarge

if TYPE_CHECKING:
    from solvers.drawing.animation import Animation  # Pillow is slow to import

FRAME = "application/octet-stream"


class PoolFull(DeviceUnavailable):
    """Too many ask for the same kind of work at once."""

    #: Seconds after which it is worth another try.
    RETRY_AFTER = 5

    def __init__(self) -> None:
        super().__init__("Too many ask for this at once; try again in a few seconds.")


class TooCostly(InstanceTooLarge):
    """The answer takes more time or memory than the server gives to one."""

    def __init__(self) -> None:
        super().__init__("This takes more time or memory than the server gives to one answer.")


class NotRecorded(LookupError):
    """The climb must be computed again: the run has it, and its file does not."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The body of an answer, and what is said of it.

    Attributes
    ----------
    content : bytes, iterator of bytes, or callable
        The last writes the file that it is given, which is empty.
    media_type : str
    headers : mapping of str to str
    in_steps : bool
        Whether clients get what there is while the rest is computed.
    """

    content: bytes | Iterator[bytes] | Callable[[Path], object]
    media_type: str = FRAME
    headers: Mapping[str, Any] = field(default_factory=dict)
    in_steps: bool = False


def class_name(kind: type) -> str:
    """The name of a class, by which another process knows an error."""
    return f"{kind.__module__}:{kind.__qualname__}"


def saved_as(*parts: str | int | None, ending: str) -> dict[str, str]:
    """The header with a file name made of those parts that are not None.

    `assets/common/saving/download.js` makes the same one. Other characters than letters, digits and ``_.-`` become
    dashes.
    """
    safe = [re.sub(r"[^A-Za-z0-9_.-]+", "-", str(part)).strip("-.")[:60] for part in parts if part is not None]
    return {"Content-Disposition": f'attachment; filename="{"-".join(part or "tour" for part in safe)}{ending}"'}


def animation_answer(animation: "Animation", headers: dict[str, str], progress: str) -> Answer:
    """An animation as a file; or, with any `progress`, in steps, as `Animation.steps` has them."""
    if progress:
        return Answer(animation.steps(), headers=headers, in_steps=True)
    return Answer(animation.file(), "image/gif", headers)
