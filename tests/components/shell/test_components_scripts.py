"""The text of the scripts: ids exist on the page, and no script runs or loads users' input."""

import re

from components.shell import assets
from tests.tables import each_row

SCRIPTS = {
    path.relative_to(assets.FOLDER).as_posix(): path.read_text()
    for path in sorted(assets.FOLDER.rglob("*.js"))
    if "vendor" not in path.relative_to(assets.FOLDER).parts
}
#: Evaluates text, makes elements of it, or names another host; the name of SVG is no address.
FORBIDDEN = re.compile(
    r"\beval\(|new Function|https?://(?!www\.w3\.org/2000/svg)|innerHTML|outerHTML|insertAdjacentHTML|document\.write"
)


def test_no_script_evaluates_text_or_names_another_host():
    assert not [script for script, source in SCRIPTS.items() if FORBIDDEN.search(source)]


@each_row(
    "source",
    ["eval(text)", "new Function(text)", 'fetch("https://x.y")', "place.innerHTML = text", "document.write(x)"],
)
def test_violating_script_is_found(source):
    assert FORBIDDEN.search(source)
