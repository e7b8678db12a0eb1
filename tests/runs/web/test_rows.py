"""The rows of a run as CSV, in the words of its algorithm."""

import asyncio

import pytest

from runs.web.downloads import DOWNLOADS
from tests.runs.made_up_runs import new_id, write_run


@pytest.mark.parametrize(
    ("algorithm", "name", "head"),
    [
        ("two-opt", "climbers", "climber,length,gap_percent,moves,evaluations,seconds"),
        ("ant-system", "iterations", "iteration,length,gap_percent,evaluations,seconds"),
        ("simulated-annealing", "chains", "chain,length,gap_percent,moves,evaluations,seconds"),
    ],
)
def test_rows_are_called_what_the_page_calls_them(run_service, algorithm, name, head):
    run = new_id()
    write_run(run_service._home.new_path(run), algorithm=algorithm)
    answer = DOWNLOADS["rows.csv"](run_service, run)
    assert f'filename="berlin52-{algorithm}-{name}.csv"' in answer.headers["content-disposition"]
    rows = answer.body_iterator

    async def first() -> str:
        return (await anext(rows)).strip()

    assert asyncio.run(first()) == head
