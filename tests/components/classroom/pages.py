"""The pages of a class, with streams that follow no run."""

import asyncio
import json

from starlette.websockets import WebSocketDisconnect

from runs.stream.session import Viewer
from runs.visitors import act_as
from solvers.worker.frames import decode
from tests.clock import PATIENCE


class Page:
    """The browser's end of a stream that follows no run.

    Parameters
    ----------
    says : iterable of dict
        What it tells the server at first.
    kind : str
        The kind of frames that it looks at.
    """

    def __init__(self, *says, kind: str = "lecture") -> None:
        self._kind = kind
        self.told: asyncio.Queue = asyncio.Queue()
        self._says: asyncio.Queue = asyncio.Queue()
        for each in says:
            self._says.put_nowait(each)

    async def accept(self):
        pass

    async def receive_text(self):
        sentence = await self._says.get()
        if sentence is None:
            raise WebSocketDisconnect
        return json.dumps(sentence)

    async def send_bytes(self, raw):
        frame = decode(raw)
        if frame.kind == self._kind:
            self.told.put_nowait(frame.values)

    def say(self, message):
        self._says.put_nowait(message)

    async def hears(self, **values):
        """Wait until the page receives these values."""
        while True:
            answer = await asyncio.wait_for(self.told.get(), PATIENCE)
            if values.items() <= answer.items():
                return answer


def with_pages(run_service, *pages):
    """Run a coroutine function with pages, one per visitor, while their streams are served."""

    def run(scenario):
        async def whole():
            tasks = []
            for who, page in pages:
                with act_as(who):
                    tasks.append(asyncio.create_task(Viewer(page, run_service).serve()))
            await scenario(*(page for _, page in pages))
            for _, page in pages:
                page.say(None)
            await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE)

        asyncio.run(whole())

    return run
