"""The media process loads what it needs, and what it does not need stays whole for everybody else."""

import subprocess
import sys

from actors.voice.media.lean import without

_LOADED = "import sys, actors.voice.media.__main__; print(*sys.modules)"
_STILL_WHOLE = """
import actors.voice.media.web, importlib.metadata, urllib.request
print(urllib.request.getproxies(), importlib.metadata.version("websockets"))
"""


def said(program: str) -> str:
    return subprocess.run(
        (sys.executable, "-c", program), capture_output=True, text=True, check=True, timeout=20
    ).stdout


def test_the_media_process_loads_nothing_that_it_does_not_use() -> None:
    loaded = set(said(_LOADED).split())
    assert "websockets.asyncio.client" in loaded
    unused = {"email", "http.client", "urllib.request", "importlib.metadata", "zipfile", "numpy", "pydantic"}
    unused |= {"discord", "aiohttp", "loguru", "pykka", "onnxruntime", "nacl"}
    assert loaded & unused == set()


def test_what_was_left_out_is_there_for_whoever_wants_it_later() -> None:
    assert said(_STILL_WHOLE)


def test_what_is_loaded_already_is_left_alone() -> None:
    before = sys.modules["json"]
    with without(json=("loads",)):
        assert sys.modules["json"] is before
    assert sys.modules["json"] is before
