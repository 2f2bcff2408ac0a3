"""CPU of a frame on its way through three of Pipecat's processors, which only pass it on.

Arguments: frames one after the other, frames a second, and frames at once.
"""

import asyncio
import sys
import time

from loguru import logger
from passing import Through, wait
from pipecat.frames.frames import OutputAudioRawFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.workers.runner import WorkerRunner
from telling import tell

RATE, FRAME = 24_000, bytes(960)


class Last(Through):
    """Counts what has come through, too."""

    def __init__(self):
        super().__init__()
        self.came, self.awaited, self.done = 0, 0, asyncio.Event()

    async def process_frame(self, frame, direction):
        """Do that."""
        await super().process_frame(frame, direction)
        self.came += isinstance(frame, OutputAudioRawFrame)
        if self.came == self.awaited:
            self.done.set()


async def measured(worker, last, frames, pause):
    """Microseconds of CPU of each of so many frames."""
    last.came, last.awaited = 0, frames
    last.done.clear()
    began, due = time.process_time(), time.monotonic()
    for _ in range(frames):
        await worker.queue_frame(OutputAudioRawFrame(FRAME, RATE, 1))
        if pause:
            due += pause
            await wait(max(0.0, due - time.monotonic()))
    await asyncio.wait_for(last.done.wait(), 30.0)
    return 1e6 * (time.process_time() - began) / frames


async def main(woken, per_second, hot):
    """Measure once."""
    logger.remove()
    last = Last()
    worker = PipelineWorker(
        Pipeline([Through(), Through(), last]), enable_rtvi=False, cancel_on_idle_timeout=False
    )
    ready = asyncio.Event()

    @worker.event_handler("on_pipeline_started")
    async def started(*_):
        ready.set()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    running = asyncio.create_task(runner.run())
    await asyncio.wait_for(ready.wait(), 10.0)
    await measured(worker, last, hot // 4, 0.0)
    values = {
        "woken_us": await measured(worker, last, woken, 1.0 / per_second),
        "hot_us": await measured(worker, last, hot, 0.0),
    }
    await worker.cancel()
    await running
    tell(values)


asyncio.run(main(*map(int, sys.argv[1:])))
