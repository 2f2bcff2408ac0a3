"""Whoever looks at how he runs, by whatever means, sees where he is, and neither a key nor a word."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SECRET = "sk-what-nobody-may-read"
BEGIN = """
import asyncio, os, signal, sys, threading, time
from loguru import logger
from supervisors.cli import _thread_ended
from supervisors.logs import configure
from supervisors.settings import load

threading.excepthook = _thread_ended
configure(load(None, {"log": {"level": "DEBUG"}}).log)

def slow(key):
    until = time.monotonic() + 0.15
    while time.monotonic() < until:
        pass

def fail(key):
    raise ValueError("wrong: " + key)
"""
LOOKS = {
    "a loop in debug mode": """
async def go():
    asyncio.get_running_loop().slow_callback_duration = 0.05
    asyncio.get_running_loop().call_soon(slow, key)
    await asyncio.sleep(0)
asyncio.run(go(), debug=True)
""",
    "stacks, threads and callbacks that fail, and what is logged of them": """
from actors.net.loop import IoLoop
os.kill(os.getpid(), signal.SIGUSR1)
thread = threading.Thread(target=fail, args=(key,)); thread.start(); thread.join()
io = IoLoop(); io.start()
io.call(lambda: fail(key)); io.submit(asyncio.sleep(0)).result(); io.stop(2)
try:
    fail(key)
except ValueError:
    logger.opt(exception=ValueError("a failure")).error("failed")
""",
}


@pytest.mark.parametrize("look", LOOKS)
def test_what_is_written_of_it_has_no_secret_in_it(look: str) -> None:
    program = f"{BEGIN}\nkey = os.environ.pop('KEY')\n{LOOKS[look]}\nprint('the end', file=sys.stderr)"
    written = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "KEY": SECRET, "PYTHONASYNCIODEBUG": "1"},
        capture_output=True, text=True, timeout=60, check=True,
    ).stderr  # fmt: skip
    assert SECRET not in written
    assert "the end" in written
