"""Tables of cases for one test: as tests of their own, most cases would take less time than pytest takes for each."""

import functools
import inspect
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any

import pytest


def each_row(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with each row, as `pytest.mark.parametrize` does, but within one test; a failure names its row."""
    columns, rows = names.replace(" ", "").split(",") if isinstance(names, str) else names, list(rows)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def call_with_each(**fixtures: Any) -> None:
            assert rows
            for number, row in enumerate(rows):
                case = dict(zip(columns, row if len(columns) > 1 else (row,), strict=True))
                try:
                    with ExitStack() as stack:
                        test(**_renew(fixtures, number, stack), **case)
                except BaseException as error:
                    error.add_note(f"Row {number}: {case!r:.400}")
                    raise

        asked = inspect.signature(test)
        kept = [value for name, value in asked.parameters.items() if name not in columns]
        call_with_each.__signature__ = asked.replace(parameters=kept)  # type: ignore[attr-defined]
        return call_with_each

    return decorate


def _renew(fixtures: dict[str, Any], number: int, stack: ExitStack) -> dict[str, Any]:
    """Fixtures that know nothing of the row before."""
    renewed = dict(fixtures)
    if "tmp_path" in fixtures:
        renewed["tmp_path"] = fixtures["tmp_path"] / str(number)
        renewed["tmp_path"].mkdir()
    if "monkeypatch" in fixtures:
        renewed["monkeypatch"] = stack.enter_context(pytest.MonkeyPatch.context())
    if "capsys" in fixtures:
        fixtures["capsys"].readouterr()
    if "caplog" in fixtures:
        fixtures["caplog"].clear()
    return renewed
