"""The papers page: a paper, an entry by its link, its files, and a measurement on this machine without a reload."""

import csv
import re

import pytest
from playwright.sync_api import expect
from serving import PATIENCE

from papers.catalogue import ALL_PAPERS, PAPERS

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
expect.set_options(timeout=PATIENCE)

TABLE = "uchida/table-ii"
#: The names of what the chart of that table draws.
LEGEND = "#papers-chart-table-ii .legendtext"
#: Whether the top of an element is seen.
SEEN = """id => {
    const { top } = document.getElementById(id).getBoundingClientRect();
    return top >= 0 && top < window.innerHeight / 2;
}"""


#: Collects what is said below entries, which may be there for a moment only; a reload would forget it.
LISTEN = """() => {
    window.told = [];
    new MutationObserver((changes) => changes.forEach(({ target }) => {
        if (target.matches?.('.entry-measure > *')) window.told.push(target.textContent);
    })).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def entry(page):
    return page.get_by_role("region", name="Construction, by instance")


def test_reader_finds_a_paper_opens_an_entry_by_link_and_saves_chart_and_table(page, server, tmp_path):
    page.goto(f"{server.url}papers/")
    cards = page.get_by_role("navigation", name="Papers", exact=True).get_by_role("link")
    expect(cards).to_have_count(len(ALL_PAPERS))
    expect(page.get_by_role("heading", level=2)).to_have_text(PAPERS[0].title)
    expect(page.get_by_role("table", name="The instances")).to_contain_text("berlin52")
    cards.nth(2).click()
    expect(page.get_by_role("heading", level=2)).to_have_text(PAPERS[2].title)
    expect(cards.nth(2)).to_have_attribute("aria-current", "true")
    assert page.url.endswith("papers/?paper=uchida")
    for label in ("Paper: as published.", "Authors' code:", "H200, H100, CPU:", "Here:"):
        expect(page.locator("#papers-about")).to_contain_text(label)
    expect(entry(page).get_by_role("table")).to_contain_text("58\u202f452.20")
    expect(page.locator(".paper-entry")).to_have_count(len(PAPERS[2].entries))
    entry(page).get_by_role("link", name="A link to").click()
    assert page.url.endswith(f"papers/?entry={TABLE}")
    page.wait_for_function(SEEN, arg="entry-table-ii")
    page.go_back()
    page.go_back()
    expect(page.get_by_role("heading", level=2)).to_have_text(PAPERS[0].title)
    page.goto(f"{server.url}papers/?entry={TABLE}")
    page.wait_for_function(f"() => document.getElementById('entry-table-ii') && ({SEEN})('entry-table-ii')")
    expect(page.locator(LEGEND)).to_have_text(["CPU, Paper", "GPU, Paper", "CPU, Intel Xeon", "GPU, H200"])
    page.wait_for_selector("#papers-chart-table-ii .main-svg")
    names = []
    for button in ("PNG", "SVG", "CSV"):
        with page.expect_download() as answer:
            entry(page).get_by_role("button", name=button).click()
        answer.value.save_as(tmp_path / button)
        names.append(answer.value.suggested_filename)
    assert all("table-ii" in name for name in names)
    assert (tmp_path / "PNG").read_bytes().startswith(b"\x89PNG")
    assert "Construction, by instance" in (tmp_path / "SVG").read_text()
    assert ["GPU, Paper", "198", "2.58"] in [*csv.reader((tmp_path / "CSV").read_text().splitlines())]
    for link, holds in (("CSV", "d198,CPU,ms,Paper"), ("LaTeX", r"d198 & Paper & 19.84")):
        with page.expect_download() as answer:
            entry(page).get_by_role("link", name=link).click()
        assert holds in answer.value.path().read_text()
    page.goto(f"{server.url}papers/?entry=uchida/table-x")
    expect(page.get_by_role("alert")).to_contain_text("Unknown entry")


#: Names of the roofline, where each stands in the window; what is cut by the chart's place, or lies over another.
NAMES = """() => {
    const place = document.getElementById('papers-chart-roofline').getBoundingClientRect();
    const found = [...document.querySelectorAll('#papers-chart-roofline .annotation text')].map((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return { name: each.textContent, left, right, top, bottom };
    });
    const cut = ({ left, right }) => left < place.left || right > place.right;
    const over = (one, other) => one.left < other.right && other.left < one.right
        && one.top < other.bottom && other.top < one.bottom;
    return {
        names: found.map(({ name }) => name),
        bad: found.filter((one, k) => cut(one) || found.slice(k + 1).some((other) => over(one, other))),
    };
}"""


@pytest.mark.long
def test_roofline_names_are_complete_and_do_not_overlap_at_any_width(page, server):
    for lang, rows in (("de", "zwei Zeilen"), ("en", "two rows")):  # the browser keeps the last one
        page.goto(f"{server.url}papers/?entry=speed/roofline&lang={lang}")
        for width, height in ((1280, 720), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.locator("#papers-chart-roofline").scroll_into_view_if_needed()
            page.wait_for_selector("#papers-chart-roofline .annotation text")
            page.wait_for_function(f"() => !({NAMES})().bad.length", timeout=30_000)
            names = page.evaluate(NAMES)["names"]
            assert len(names) == 12
            assert f"matr_s, {rows}" in names


@pytest.mark.long
def test_table_is_measured_here_and_its_figures_appear_without_reload(page, server):
    page.goto(f"{server.url}papers/?entry={TABLE}")
    visible = entry(page)
    expect(visible).to_contain_text("Not measured on this machine yet.")
    page.evaluate(LISTEN)
    visible.get_by_role("button", name="Quick").click()
    cancel = visible.get_by_role("button", name="Cancel measuring")
    expect(cancel).to_be_focused()
    other = page.get_by_role("region", name="Update of the pheromone")
    other.get_by_role("button", name="Measure here").click()
    other.get_by_role("button", name="Cancel measuring").click()
    expect(other.get_by_role("status")).to_have_text("Not measured on this machine yet.")
    expect(visible.get_by_role("status")).to_have_text("Measured: the figures are in the table.")
    expect(visible.get_by_role("columnheader", name="Here, quick")).to_be_visible()
    ratios = visible.get_by_role("row").filter(has_text="d198").locator("small:not(:empty)")
    expect(ratios).to_have_text([re.compile("\u202f×$")] * 4)  # those of the H200, and that of this machine's cores
    expect(visible).to_contain_text("Too coarse to quote.")
    page.locator("#papers-chart-table-ii").scroll_into_view_if_needed()  # it is drawn where it is seen
    expect(page.locator(LEGEND).filter(has_text="Here, quick").first).to_be_visible(timeout=60_000)
    expect(visible.get_by_role("button", name="Measure again")).to_be_visible()
    answer = page.evaluate("() => window.told")
    for words in ("Measuring the short form.", "Waiting for one other measurement.", r"\d+ s"):
        assert any(re.match(words, each) for each in answer), words
    assert list((server.home / "papers").glob("uchida--table-ii--*.json"))
    page.reload()
    expect(entry(page)).to_contain_text("Here, quick")


#: What of the page's content reaches beyond the window, but for what scrolls in a box of its own or is folded away.
BEYOND = """() => [...document.querySelectorAll('main *')].filter((each) => {
    const { right, width } = each.getBoundingClientRect();
    if (!width || right <= window.innerWidth + 1) return false;
    if (!each.checkVisibility({ contentVisibilityAuto: true })) return false;
    for (let box = each.parentElement; box; box = box.parentElement) {
        const inside = box.getBoundingClientRect().right <= window.innerWidth + 1;
        if (getComputedStyle(box).overflowX !== 'visible' && inside) return false;
    }
    return true;
}).map((each) => `${each.tagName}.${each.className}`)"""


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_paper_is_wider_than_a_phone(page, server, scheme):
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme=scheme)
    for paper in ALL_PAPERS:
        page.goto(f"{server.url}papers/?paper={paper.id}")
        expect(page.locator(".paper-entry")).to_have_count(len(paper.entries))
        page.locator(".paper-entry").last.scroll_into_view_if_needed()
        assert page.evaluate("() => document.documentElement.scrollWidth") == 390, paper.id
        assert page.evaluate(BEYOND) == [], paper.id
    page.goto(f"{server.url}papers/")  # five narrow columns are seen as a whole
    page.wait_for_selector(".paper-scroll td")
    assert page.evaluate("() => (({ scrollWidth, clientWidth }) => scrollWidth === clientWidth)"
                         "(document.querySelector('.paper-scroll'))")  # fmt: skip
    page.goto(f"{server.url}papers/?entry=bitner/table-1")  # a table that is wider, were its box to let it
    expect(page.locator("#entry-table-1 table")).to_be_visible()
    page.add_style_tag(content="main * { overflow: visible !important }")
    assert any(each.startswith("TD") for each in page.evaluate(BEYOND))
