"""What a peer's quickstart imports, in a fresh process: from its start to its word that it has done so."""

import os
import subprocess
import sys
import time

from telling import tell

QUICKSTARTS = {
    "pipecat": (
        "from pipecat.audio.vad.vad_analyzer import VADParams",
        "from pipecat.pipeline.pipeline import Pipeline",
        "from pipecat.pipeline.runner import PipelineRunner",
        "from pipecat.pipeline.task import PipelineParams, PipelineTask",
        "from pipecat.processors.aggregators.llm_context import LLMContext",
        "from pipecat.transports.base_transport import BaseTransport, TransportParams",
    ),
    "livekit": ("import livekit.agents",),
}


def imported(whose: str) -> dict[str, float]:
    program = "\n".join((*QUICKSTARTS[whose], "import os", "print('ready', flush=True)", "os._exit(0)"))
    began = time.monotonic()
    with subprocess.Popen(
        (sys.executable, "-c", program), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        words = [line.strip() for line in iter(process.stdout.readline, "")]
        lasted = time.monotonic() - began
        if "ready" not in words:
            raise RuntimeError(f"{whose} could not be imported")
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return {"seconds": lasted, "cpu": usage.ru_utime + usage.ru_stime}


if __name__ == "__main__":
    tell(imported(sys.argv[1]))
