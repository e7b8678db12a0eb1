"""The rows of a run as CSV, in the terms of its algorithm."""

from runs.web.downloads import own_table
from tests.runs.made_up_runs import new_id, write_run
from tests.tables import each_row


@each_row(
    ("algorithm", "name", "head"),
    [
        ("two-opt", "climbers", "climber,length,gap_percent,moves,evaluations,seconds"),
        ("ant-system", "iterations", "iteration,length,gap_percent,evaluations,seconds"),
        ("simulated-annealing", "chains", "chain,length,gap_percent,moves,evaluations,seconds"),
    ],
)
def test_rows_are_named_as_on_the_page(run_service, algorithm, name, head):
    path = run_service.home.new_path(new_id())
    write_run(path, algorithm=algorithm)
    answer = own_table(str(path))
    assert f'filename="berlin52-{algorithm}-{name}.csv"' in answer.headers["Content-Disposition"]
    assert next(answer.content).decode().strip() == head
