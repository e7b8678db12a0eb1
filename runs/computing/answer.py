"""The result of a function that computes an answer, and the errors that such functions may raise."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers.core.errors import DeviceUnavailable, InstanceTooLarge

if TYPE_CHECKING:
    from exports.drawing.gif import Animation  # Pillow is slow to import

FRAME = "application/octet-stream"


class PoolFull(DeviceUnavailable):
    """Too many clients are requesting the same kind of work."""

    #: Seconds until a client should try again.
    RETRY_AFTER = 5

    def __init__(self) -> None:
        super().__init__("Too many ask for this at once; try again in a few seconds.")


class TooCostly(InstanceTooLarge):
    """The answer needs more time or memory than the server grants."""

    def __init__(self) -> None:
        super().__init__("This takes more time or memory than the server gives to one answer.")


class NotRecorded(LookupError):
    """The climb belongs to the run but is not in its file, so it must be computed again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The body and headers of a computed answer.

    Attributes
    ----------
    content : bytes, iterator of bytes, or callable
        A callable writes to the empty file that it is given.
    media_type : str
    headers : mapping of str to str
    in_steps : bool
        Whether clients receive the first parts while the rest is computed.
    """

    content: bytes | Iterator[bytes] | Callable[[Path], object]
    media_type: str = FRAME
    headers: Mapping[str, Any] = field(default_factory=dict)
    in_steps: bool = False


def class_name(kind: type) -> str:
    """Return a class's qualified name, by which another process recognises an error."""
    return f"{kind.__module__}:{kind.__qualname__}"


def download_headers(*parts: str | int | None, suffix: str) -> dict[str, str]:
    """Return the header with a download's file name, made of all parts that are not None.

    `assets/common/saving/download.js` builds the same name. Characters other than letters, digits and ``_.-`` become
    dashes.
    """
    safe = [re.sub(r"[^A-Za-z0-9_.-]+", "-", str(part)).strip("-.")[:60] for part in parts if part is not None]
    return {"Content-Disposition": f'attachment; filename="{"-".join(part or "tour" for part in safe)}{suffix}"'}


def animation_answer(animation: "Animation", headers: dict[str, str], progress: str) -> Answer:
    """Return an animation as a file or, with `progress`, in the steps of `Animation.steps`."""
    if progress:
        return Answer(animation.steps(), headers=headers, in_steps=True)
    return Answer(animation.file(), "image/gif", headers)
