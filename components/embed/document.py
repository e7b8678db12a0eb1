"""A run as a single HTML file that plays without a server: script and data inside, loading nothing else."""

import base64
import hashlib
import json
from html import escape
from pathlib import Path

from components.embed.embedded import embed_run
from components.embed.script import build_player
from components.shell.texts import embed as text
from runs.embedding.recorder import Recorder
from runs.store.summary import find_solver
from runs.translation import translate

_STYLE = (
    "html, body { height: 100%; margin: 0 } #run { height: 100%; min-height: 480px } "
    "h1 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%) }"
)
# Data is read as text and never run; a script in its place would have another hash.
_START = """const show = {player};
const data = JSON.parse(document.getElementById("data").textContent);
const bytes = Uint8Array.from(atob(data.bytes), (letter) => letter.charCodeAt(0));
show(document.getElementById("run"), data.embedded, bytes, true);
"""
_DOCUMENT = Path(__file__).with_name("document.html").read_text("utf-8")
_POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; img-src data:; base-uri 'none'; form-action 'none'"
)


def build_document(path: Path) -> str:
    """Return the HTML file of a run file.

    Parameters
    ----------
    path : Path
        A run file of this data folder, including imported ones; its lengths are not checked.

    Raises
    ------
    ValueError, sqlite3.Error
        If the file is not a run file.
    """
    embedded, block, run = embed_run(path)
    stage = run.values["spec"]["stages"][-1]["algorithm"]
    title = text("title", instance=run.instance["name"], algorithm=translate(find_solver(stage).title))
    script = _inline(_START.format(player=build_player()))
    data = {"embedded": embedded, "bytes": base64.b64encode(block).decode()}
    return _DOCUMENT.format(
        policy=_POLICY.format(script=_hash(script), style=_hash(_STYLE)),
        title=escape(title),
        style=_STYLE,
        # an escaped character in strings: the same to JSON, but cannot end the element
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        script=script,
    )


def _inline(script: str) -> str:
    """Check that a script is safe inside an element.

    Raises
    ------
    ValueError
        If the script contains text that could end the element.
    """
    lower = script.lower()
    if any(end in lower for end in ("</script", "<script", "<!--")):
        raise ValueError("a script in a document must not have the tag of a script or the beginning of a comment")
    return script


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


class PageRecorder(Recorder):
    """A `Recorder` that turns its run file into an HTML file."""

    def page(self) -> bytes:
        """Build the HTML file after the last event."""
        return build_document(self.file()).encode()
