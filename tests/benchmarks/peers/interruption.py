"""How long Pipecat takes from an interruption to silence: 24 kHz mono through its own output transport.

The sink takes sound as fast as it is spoken, as Pipecat's websocket transports do. Argument: how many cuts.
"""

import asyncio
import random
import statistics
import sys
import time

from loguru import logger
from passing import Through, wait
from pipecat.frames.frames import BotStoppedSpeakingFrame, TTSAudioRawFrame, TTSStartedFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import TransportParams
from pipecat.workers.runner import WorkerRunner
from telling import tell

RATE = 24_000
CHUNK_SECONDS = 0.04
SENTENCE = bytes(range(1, 241)) * (RATE * 2 // 240)
"""A second."""
MOST_SPOKEN = 0.06
"""Seconds of a sentence before it is cut, at most."""
QUIET_SECONDS = 0.045


class Sink(BaseOutputTransport):
    """Takes a chunk, and the next one when that has been heard."""

    def __init__(self):
        super().__init__(TransportParams(audio_out_enabled=True, audio_out_sample_rate=RATE))
        self.due = self.written = self.stopped = 0.0
        self.began, self.silent = asyncio.Event(), asyncio.Event()

    async def start(self, frame):
        """Be ready at once."""
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def write_audio_frame(self, frame):
        """Take it."""
        self.written = time.monotonic()
        self.due = max(self.due, self.written) + CHUNK_SECONDS
        self.began.set()
        await wait(self.due - self.written)
        return True

    async def push_frame(self, frame, *where):
        """Note the moment at which everything is thrown away."""
        if isinstance(frame, BotStoppedSpeakingFrame) and not self.silent.is_set():
            self.stopped = time.monotonic()
            self.silent.set()
        await super().push_frame(frame, *where)


async def cut(worker, turns, sink):
    """One sentence that is not heard to its end: milliseconds until it was cut, and until it was silent."""
    sink.began.clear()
    await worker.queue_frame(TTSStartedFrame())
    await worker.queue_frame(TTSAudioRawFrame(SENTENCE, RATE, 1))
    await sink.began.wait()
    await wait(random.uniform(0.0, MOST_SPOKEN))
    sink.silent.clear()
    decided = time.monotonic()
    await turns.broadcast_interruption()
    await asyncio.wait_for(sink.silent.wait(), 2.0)
    await wait(QUIET_SECONDS)
    late = max(0, sink.written - sink.stopped)
    return 1e3 * (sink.stopped - decided), 1e3 * (sink.due - decided), late


async def main(cuts):
    """Measure once."""
    logger.remove()
    turns, sink = Through(), Sink()
    worker = PipelineWorker(
        Pipeline([turns, Through(), Through(), sink]), enable_rtvi=False, cancel_on_idle_timeout=False
    )
    ready = asyncio.Event()

    @worker.event_handler("on_pipeline_started")
    async def started(*_):
        ready.set()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    running = asyncio.create_task(runner.run())
    await asyncio.wait_for(ready.wait(), 10.0)
    found = [await cut(worker, turns, sink) for _ in range(cuts)]
    await worker.cancel()
    await running
    handled, silent, late = zip(*found, strict=True)
    tell(
        {
            "handled_ms": statistics.median(handled),
            "silent_ms": statistics.median(silent),
            "late": float(sum(one > 0 for one in late)),
        }
    )


asyncio.run(main(int(sys.argv[1])))
