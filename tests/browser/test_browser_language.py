"""The pages in German: the link in the header changes the language of the page and its requests; the choice is
stored."""

import pytest
from playwright.sync_api import expect
from serving import PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]


@pytest.fixture
def visitor(chromium, server):
    context = chromium.new_context(viewport={"width": 1280, "height": 860}, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    context.set_default_navigation_timeout(PATIENCE)
    view = context.new_page()
    yield view
    context.close()


def test_header_link_switches_a_page_to_german(visitor, server):
    visitor.goto(f"{server.url}learn/?lesson=first-minute")
    german = visitor.locator(".languages a[hreflang=de]")
    expect(visitor.locator("html")).to_have_attribute("lang", "en", timeout=PATIENCE)
    german.click()
    expect(visitor.locator("html")).to_have_attribute("lang", "de", timeout=PATIENCE)
    expect(visitor.locator("nav a.on")).to_have_text("Lernen", timeout=PATIENCE)  # what the server wrote
    expect(visitor.locator("#lesson-sheet")).to_contain_text("Alle Lektionen", timeout=PATIENCE)  # what a script wrote
    assert visitor.url == f"{server.url}learn/?lesson=first-minute", "the address is as it was"
    answer = visitor.request.get(f"{server.url}runs/none")
    assert answer.json()["sentence"] == "Diesen Lauf gibt es nicht."
