"""Addresses without the final slash redirect to their page with the query; unknown addresses get an answer."""

import pytest
from starlette.testclient import TestClient

from tests.runs.served import BASE, serving
from tests.tables import each_row


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch, serving(tmp_path_factory.mktemp("home"), patch) as served:
        yield TestClient(served.server, follow_redirects=False)


@each_row("page", ["", "race/", "study/", "library/", "papers/"])
def test_address_without_slash_redirects_with_its_query(client, page):
    answer = client.get(f"{(BASE + page).rstrip('/')}?instance=kroA200&seed=2")
    assert answer.status_code == 307
    assert answer.headers["location"] == f"{BASE}{page}?instance=kroA200&seed=2"
    assert "<!DOCTYPE html>" in client.get(BASE + page).text


@each_row("path", [f"{BASE}librari", f"{BASE}race/x/y", "/elsewhere"])
def test_unknown_address_answers_people_and_scripts(client, path):
    person = client.get(path, headers={"accept": "text/html,*/*;q=0.8"})
    assert person.status_code == 404
    assert f'There is no page at this address. <a href="{BASE}">Open TourScope</a>' in person.text
    assert "color-scheme:light dark" in person.text
    assert "width=device-width" in person.text
    script = client.get(path)
    assert script.status_code == 404
    assert script.json() == {"sentence": "There is nothing at this address."}
