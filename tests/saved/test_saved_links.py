"""Saved addresses of the library still work."""

from tests.saved import house
from tests.saved.releases import RELEASES, read_answers
from tests.tables import each_row


@each_row("release", RELEASES)
def test_library_addresses_keep_their_query(release):
    rows = read_answers(release, "links.json")["library"]
    read = house.library_queries([row["search"] for row in rows])
    for row, query in zip(rows, read, strict=True):
        assert query == row["query"], row["search"]
