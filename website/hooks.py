"""MkDocs hooks for building the site."""

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from website import contents, lesson_pages, reference  # noqa: E402 - MkDocs has the folder of its settings on the path

#: Pages made from files beside ``docs/``, by file.
_BESIDE = {
    "README.md": "project/readme.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "benchmarks/README.md": "project/measurements.md",
    "benchmarks/kernels.md": "project/kernels.md",
    "tests/faults/README.md": "project/faults.md",
}
_PROJECT = {"The project": [(Path(page).stem.capitalize(), page) for page in _BESIDE.values()]}
#: Files of the site that come from elsewhere than ``docs/``, by address.
_ASSETS = {
    "vendor/katex.min.js": ROOT / "assets/vendor/katex.min.js",
    "vendor/katex.min.css": ROOT / "assets/vendor/katex.min.css",
    "mark.svg": ROOT / "assets/mark.svg",
    "formulas.js": ROOT / "website/formulas.js",
    "site.css": ROOT / "website/site.css",
}
_LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))")


def on_config(config: Any) -> Any:
    """Set the navigation from the list of documents."""
    found = contents.parse_sections((ROOT / "docs/index.md").read_text("utf-8"))
    lessons = [(lesson.title, f"lessons/{lesson.id}.md") for lesson in lesson_pages.load_lessons()]
    pages = {"Reference": list(reference.PAGES.items()), **_PROJECT}
    config.nav = contents.build_navigation(found, lessons, pages)
    return config


def on_files(files: Files, *, config: Any) -> Files:
    """Add generated pages, and files outside of ``docs/`` to which pages refer."""
    for lesson in lesson_pages.load_lessons():
        files.remove(files.src_uris[f"lessons/{lesson.id}.md"])
        files.append(File.generated(config, f"lessons/{lesson.id}.md", content=lesson_pages.format_lesson(lesson)))
    for path, text in reference.build_pages().items():
        files.append(File.generated(config, path, content=text))
    for source, path in _BESIDE.items():
        files.append(File.generated(config, path, content=_read_beside(source, path)))
    fonts = {f"vendor/katex-fonts/{path.name}": path for path in (ROOT / "assets/vendor/katex-fonts").iterdir()}
    results = {f"benchmarks/results/{path.name}": path for path in (ROOT / "benchmarks/results").glob("*.json")}
    licence = {"project/LICENSE": ROOT / "LICENSE"}
    for address, copied in {**_ASSETS, **fonts, **results, **licence}.items():
        files.append(File.generated(config, address, abs_src_path=str(copied)))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Rewrite links that leave ``docs/`` to pages of the site."""
    return re.sub(_LINK, lambda link: _rewrite_link(link, page.file.src_uri), markdown)


def _rewrite_link(link: re.Match[str], page: str) -> str:
    """Rewrite a link of a document; one that leaves ``docs/`` is relative to the parent folder."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), link[2]))
    if not target.startswith("../"):
        return link[0]
    return _to(link, target.removeprefix("../"), page)


def _read_beside(source: str, page: str) -> str:
    """Text of a file beside ``docs/``, with links relative to its page."""

    def moved(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[2]))
        return _to(link, target.removeprefix("docs/"), page)

    return re.sub(_LINK, moved, (ROOT / source).read_text("utf-8"))


def _to(link: re.Match[str], target: str, page: str) -> str:
    address = _BESIDE.get(target, "project/LICENSE" if target == "LICENSE" else target)
    return f"{link[1]}{posixpath.relpath(address, posixpath.dirname(page) or '.')}{link[3]}"
