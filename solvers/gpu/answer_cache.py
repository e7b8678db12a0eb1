"""Disk cache of choices that trials on a GPU have made: one small file per question, in the cache folder.

Plain Python. A file that is damaged or answers another question is ignored, so that the trial is repeated.
"""

import hashlib
import json
import os
import threading
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from data.cache.place import cache_home


def cache_path(question: dict[str, Any]) -> Path:
    """Return the path of the file that caches the answer to a question."""
    digest = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:16]
    return cache_home() / "trials" / f"{digest}.json"


def load_answer(question: dict[str, Any], answers: Collection[int]) -> int | None:
    """Return the cached answer to a question; None if there is none, or it is not among `answers`.

    Parameters
    ----------
    question : dict
        Everything on which the answer depends, as JSON.
    answers : collection of int
        The possible answers.
    """
    try:
        entry = json.loads(cache_path(question).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or entry.get("question") != question:
        return None
    answer = entry.get("answer")
    return answer if type(answer) is int and answer in answers else None


def save_answer(question: dict[str, Any], answer: int) -> None:
    """Cache the answer to a question, in place of any earlier one; do nothing if the cache is not writable."""
    path = cache_path(question)
    part = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps({"question": question, "answer": answer}), encoding="utf-8")
        os.replace(part, path)
    except OSError:
        with suppress(OSError):
            part.unlink()
