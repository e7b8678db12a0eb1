"""Every chart on the watch and race pages is accessible to screen readers and can be saved as numbers."""

from components.race import ids as race_ids_module
from components.race import page as race_page_module
from components.shell import ids
from components.watch import page

STATUS = {"devices": None, "spare": "starting", "runs": 0}


def all_components(component):
    yield component
    yield from getattr(component, "_traverse", list)()


def find_charts(layout):
    parts = [part for part in all_components(layout) if hasattr(part, "to_plotly_json")]
    known = {getattr(part, "id", None) for part in parts if isinstance(getattr(part, "id", None), str)}
    graphs = [part.id for part in parts if hasattr(part, "data-figure")]
    saved = {getattr(part, "data-csv", None) for part in parts}
    return graphs, known, saved


def test_charts_of_a_run_have_their_words_and_their_numbers():
    graphs, known, saved = find_charts(page.layout(STATUS, "/"))
    charts = set(graphs) - {ids.TOUR}  # a picture: what it shows stands above it, and is saved as a tour
    assert charts == {ids.CONVERGENCE, ids.ANTS, ids.LAYERS, ids.POPULATION}
    assert all(f"{chart}-sentence" in known for chart in charts)
    assert charts <= saved


def test_the_chart_of_a_race_has_its_words_and_its_numbers():
    graphs, known, _ = find_charts(race_page_module.layout(STATUS, "/"))
    assert graphs == [race_ids_module.CHART]
    assert {race_ids_module.CHART_SENTENCE, ids.SAVE_CSV} <= known
