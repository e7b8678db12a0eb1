"""Every third-party file has its licence beside it and in the list of licences."""

import re
import subprocess
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Where things of others are, and files of ours there.
PLACES = ("assets/vendor/*", "assets/world/*", "data/places/*", "data/instances/*")
OURS = ("*.py",)
#: What a file's own first bytes say of its licence, and what the list has to say.
SAID = {rb"MIT": "MIT", rb"Mozilla Public\s": "MPL 2.0"}


def rows() -> list[tuple[list[str], str, str, str]]:
    """The paths, version, licence and licence file of each row of the list."""
    table = (ROOT / "docs" / "licences.md").read_text("utf-8")
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")]
    return [(re.findall(r"`([^`]+)`", what), version, licence, re.search(r"`([^`]+)`", text)[1])
            for what, version, licence, text in cells[1:]]  # fmt: skip


def third_party_files() -> list[str]:
    """The third-party files in the checkout."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PLACES]
    tracked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    named = [name for name in tracked if not name.endswith("LICENSE.txt")]
    return [name for name in named if not any(fnmatch(name, ours) for ours in OURS)]


def test_everything_from_others_is_listed():
    listed = [path for paths, *_ in rows() for path in paths]
    assert len(third_party_files()) > 100
    for name in third_party_files():
        assert any(name == path or (path.endswith("/") and name.startswith(path)) for path in listed), name
    for path in listed:
        assert (ROOT / path).exists(), path


def test_each_licence_exists_and_matches_its_entry():
    for paths, version, licence, text in rows():
        written = (ROOT / text).read_text("utf-8")
        for words, kind in {"SIL Open Font License": "SIL OFL", "Mozilla Public": "MPL", "CC BY 4.0": "CC BY"}.items():
            assert (words in written) == licence.startswith(kind), (text, licence)
        assert ("MIT" in licence) == bool(re.match(r"(The )?MIT License", written)), text
        for path in (path for path in paths if path.endswith((".js", ".css"))):
            head = (ROOT / path).read_bytes()[:400].replace(b"\n * ", b" ")
            for pattern, kind in SAID.items():
                assert not re.search(pattern, head) or licence == kind, path
            if found := re.search(rb"\bv(\d+\.\d+\.\d+)", head):
                assert found[1].decode() == version, path
