"""Every page and every dialog has a test that checks it with axe-core."""

import re
from pathlib import Path

from components.algorithm import ids as item_ids
from components.race import ids as race_ids
from components.shell import ids
from components.shell.paths import CLASS, PAGES
from components.study import ids as study_ids
from tests.tables import each_row

ROOT = Path(__file__).resolve().parents[3]
IDS = {"shell": ids, "race": race_ids, "study": study_ids}
#: A dialog of a layout, in the source.
DIALOG = r"html\.Dialog\(\n(.*?)\n    \)"
SEEN = "".join(path.read_text() for path in sorted((ROOT / "tests" / "browser").glob("test_browser_axe*.py")))


def of_scripts(source: str) -> set[str]:
    """Selectors of the dialogs created by a script: by id, otherwise by the last class."""
    found = {f"#{name}" for name in re.findall(r"makeSheet\(\s*\"([\w-]+)\"", source)}
    for attributes in re.findall(r"element\(\s*\"dialog\",\s*\{([^}]*)\}", source):
        named = re.search(r"\bid: \"([\w-]+)\"", attributes)
        classes = re.search(r"\bclass: \"[^\"]*?([\w-]+)\"", attributes)
        found.add(f"#{named[1]}" if named else f".{classes[1]}" if classes else "a dialog without id or class")
    return found


def of_layouts(source: str) -> set[str]:
    """Selectors of the dialogs defined in a module of `components`, on any page."""
    found = set()
    for call in re.findall(DIALOG, source, re.DOTALL):
        literal, module, name = re.findall(r"^        id=(?:\"([\w-]+)\"|(\w+)\.(\w+))", call, re.MULTILINE)[-1]
        page = re.search(r"from components\.(\w+) import (?:\w+, )*ids\b", source)
        named = item_ids if module == "item_ids" else IDS[page[1] if page else "shell"]
        found.add(f"#{literal or getattr(named, name)}")
    return found


def dialogs() -> set[str]:
    paths = (path for path in (ROOT / "assets").rglob("*.js") if "vendor" not in path.parts)
    scripts = [path.read_text() for path in paths if path.name != "sheet.js"]
    modules = [path.read_text() for path in (ROOT / "components").rglob("*.py")]
    assert all(each.count("html.Dialog(") == len(re.findall(DIALOG, each, re.DOTALL)) for each in modules)
    return set().union(*map(of_scripts, scripts), *map(of_layouts, modules))


def untested_selectors(visible: set[str], tests: str) -> set[str]:
    """Selectors that no test waits for."""
    return {each for each in visible if not re.search(rf"[\"' ]{re.escape(each)}(?![\w-])", tests)}


def test_axe_sees_every_dialog():
    visible = dialogs()
    assert {"#instances", "#item-form", "#draw", "#keys", "#frame"} <= visible
    assert SEEN.count("#item-form[open]") == 2, "on the page of races and on that of studies"
    assert untested_selectors(visible, SEEN) == set()


def test_dialog_missed_by_axe_is_found():
    assert of_scripts('element(\n  "dialog",\n  { id: "new", class: "sheet" }') == {"#new"}
    assert of_scripts('element("dialog", { class: "sheet fine-dialog" }') == {".fine-dialog"}
    assert of_scripts('const sheet = makeSheet("other", "tall", ') == {"#other"}
    assert untested_selectors({"#how", "#how-many"}, 'page.wait_for_selector("#how-many[open]")') == {"#how"}


@each_row("path", [*filter(None, PAGES.values()), CLASS, f"{CLASS}runs", "docs/"])
def test_axe_sees_every_page(path):
    assert f"{{server.url}}{path}" in SEEN
