"""What Pipecat's pipelines here are made of: a processor that passes everything on, and a wait."""

import asyncio

from pipecat.processors.frame_processor import FrameProcessor


async def wait(seconds):
    """Let others work for so long."""
    loop = asyncio.get_running_loop()
    over = loop.create_future()
    loop.call_later(seconds, over.set_result, None)
    await over


class Through(FrameProcessor):
    """Stands for a model or a synthesizer: passes everything on."""

    async def process_frame(self, frame, direction):
        """Do that."""
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)
