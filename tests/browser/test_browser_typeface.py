"""On a machine without any font the page shows all texts, formulas and code too: it brings what it needs."""

import os

import pytest
from chromium import ARGUMENTS, MODULES, executable
from serving import PATIENCE
from watching import link, opened

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

#: What tells the system's library of fonts, on Linux, that there are none.
NO_FONTS = '<?xml version="1.0"?><fontconfig><cachedir>{}</cachedir></fontconfig>'
#: Texts that are to be seen and take no room; those of KaTeX's for readers, and its joints, are not to be seen.
MISSING = """() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const missing = [];
    while (walk.nextNode()) {
        const { data, parentElement: place } = walk.currentNode;
        if (!data.replace(/[\\s\\u200b]/g, "") || place.closest("svg, option, .katex-mathml, script, style")) continue;
        if (!place.checkVisibility({ visibilityProperty: true })) continue;
        range.selectNodeContents(walk.currentNode);
        if (!range.getBoundingClientRect().width) missing.push(`${place.className}: ${data}`);
    }
    return missing;
}"""


@pytest.fixture(scope="module")
def context(playwright, tmp_path_factory):
    """Contexts of a browser on such a machine."""
    folder = tmp_path_factory.mktemp("fonts")
    (folder / "fonts.conf").write_text(NO_FONTS.format(folder / "cache"))
    without = {**os.environ, "FONTCONFIG_FILE": str(folder / "fonts.conf")}
    browser = playwright.chromium.launch(executable_path=executable(), args=list(ARGUMENTS), env=without)
    found = browser.new_context(viewport={"width": 1440, "height": 860})
    found.add_init_script(path=MODULES)
    found.set_default_timeout(PATIENCE)
    yield found
    browser.close()


@pytest.mark.parametrize("algorithm", ["greedy", "simulated-annealing", "ant-system"])
def test_the_watch_page_its_formulas_and_its_pseudo_code_are_seen(page, server, algorithm):
    opened(page, link(server, "burma14", algorithm))
    page.click("#how-open")
    page.wait_for_selector("#how .math.block .katex")
    page.wait_for_function(f"() => document.fonts.status === 'loaded' && !({MISSING})().length")
    assert page.locator("#how .pseudo code").first.bounding_box()["width"] > 50
