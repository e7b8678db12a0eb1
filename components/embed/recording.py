"""The HTML file of a run, recorded event by event, as on the command line."""

from components.embed.document import document
from runs.embedding.recorder import Recorder


class PageRecorder(Recorder):
    """A `Recorder` whose run file becomes an HTML file."""

    def page(self) -> bytes:
        """The HTML file, when the last event has been taken."""
        return document(self.file()).encode()
