"""Every text of the page uses its own typeface, or falls back to it."""

import pytest
from watching import link, open_form, start_run, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

#: The typefaces of texts in which that of the page is not among them, but for KaTeX's joints that hold no letter.
OTHERS = """() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set();
    while (walk.nextNode()) {
        const { data, parentElement: place } = walk.currentNode;
        if (!data.replace(/[\\s\\u200b]/g, "") || place.closest(".katex-mathml, script, style")) continue;
        const { fontFamily } = getComputedStyle(place);
        if (!/\\bInter\\b/.test(fontFamily)) found.add(`${place.className}: ${fontFamily}`);
    }
    return [...found];
}"""
#: From now on notes, once there is a formula, whether the typefaces of formulas are there.
READY = """() => {
    const types = ["1em KaTeX_Main", "italic 1em KaTeX_Math"];
    window.early = [];
    new MutationObserver(() => {
        if (document.querySelector(".katex")) window.early.push(types.every((type) => document.fonts.check(type)));
    }).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ["simulated-annealing", "ant-system"])
def test_no_text_depends_on_local_typefaces(page, server, algorithm):
    open_form(page, link(server, "burma14", algorithm, **{"budget.seconds": 1}))
    start_run(page)
    wait_state(page, "finished")
    page.evaluate(READY)
    page.click("#how-open")
    page.wait_for_selector("#how .math.block .katex")
    page.wait_for_selector("#how .pseudo code")
    assert page.evaluate("() => window.early.length && window.early[0]")
    assert page.evaluate(OTHERS) == []
