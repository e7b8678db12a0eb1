"""Replacement modules in standalone runs and on a site have all members that other modules use."""

import re
from collections.abc import Iterator, Mapping

from components.embed import script
from components.shell import bundle
from components.site import build
from tests.tables import each_row

BUNDLES = [
    *((entry, script.REPLACEMENTS) for entry in script._ENTRIES.values()),
    (build._ENTRY, build._REPLACEMENTS),
]
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";', re.MULTILINE)


def source(module: str) -> str:
    return (bundle.FOLDER / module).read_text("utf-8")


def requests(entry: str, replacements: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield each name or member that a module takes from a replaced one, with the module and the replacement."""
    for module in {replacements.get(each, each) for each in bundle.list_modules(entry, replacements)}:
        text = source(module) if module.endswith(".js") else ""
        for names, path in _IMPORT.findall(text):
            replacement = replacements.get(bundle._resolve(module, path), "")
            for name in re.findall(r"(\w+)(?: as \w+)?\s*(?:,|$)", names) if replacement else []:
                yield module, replacement, name
                for member in re.findall(rf"(?<![\w.]){name}\.(\w+)", text):
                    yield module, replacement, member


@each_row(("entry", "replacements"), BUNDLES)
def test_replacement_has_all_requested_exports(entry, replacements):
    asked = list(requests(entry, replacements))
    assert len(asked) > 5
    assert not [each for each in asked if not re.search(rf"\b{each[2]}\b", source(each[1]))]
