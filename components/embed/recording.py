"""Records a run event by event as an HTML file, for the command line."""

from components.embed.document import build_document
from runs.embedding.recorder import Recorder


class PageRecorder(Recorder):
    """A `Recorder` that turns its run file into an HTML file."""

    def page(self) -> bytes:
        """Build the HTML file after the last event."""
        return build_document(self.file()).encode()
