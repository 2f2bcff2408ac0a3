"""The program itself as a newcomer runs it, and browsers whose microphones are recordings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, expect

from actors.audio.pcm import RATE, SAMPLE_BYTES, write_wav
from actors.console.client import page_link
from tests.browser.conftest import DEADLINE_MS, watched
from tests.browser.tap import listen_in
from tests.models import voice

SOON: Final = 30.0
"""How long we are willing to fail."""
_CONFIG: Final = """
[console]
port = 0
directory = "{folder}/console"
[evidence]
directory = "{folder}/evidence"
[captain]
directory = "{folder}/captain"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A house in a process of its own."""

    link: str
    """Its page, with the key."""
    record: Path


@contextmanager
def running(folder: Path) -> Generator[Running]:
    """`clankie run` with no account and no key, from its window's opening to its orderly end."""
    config = folder / "config.toml"
    config.write_text(_CONFIG.format(folder=folder))
    command = [sys.executable, "-m", "supervisors", "run", "--config", str(config)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CLANKIE")}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as program:
        try:
            port = _port(folder / "console", program)
            yield Running(link=page_link(port, folder / "console"), record=folder / "evidence")
        finally:
            program.send_signal(signal.SIGTERM)
            try:
                assert program.wait(SOON) == 0
            finally:
                program.kill()


def _port(directory: Path, program: subprocess.Popen[bytes]) -> int:
    """Of the key that it leaves once it listens."""
    deadline = time.monotonic() + SOON
    while time.monotonic() < deadline:
        for file in directory.glob("console-*.key"):
            return int(file.stem.removeprefix("console-"))
        try:
            raise AssertionError(f"it ended at once, with {program.wait(0.05)}")
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError(f"it did not listen within {SOON} s")


def recording(path: Path, *parts: str | float, pitch: float) -> Path:
    """Words in somebody's voice, and seconds of silence."""

    def sound(each: str | float) -> bytes:
        if isinstance(each, str):
            return b"".join(voice().stream(each, pitch))
        return bytes(round(each * RATE) * SAMPLE_BYTES)

    write_wav(path, b"".join(map(sound, parts)))
    return path


@contextmanager
def seated(browser: Browser, house: Running, name: str, complaints: list[str]) -> Generator[Page]:
    """Somebody who opens the page, sits down and lets himself be heard, with cookies of his own."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    try:
        page = context.new_page()
        page.set_default_timeout(DEADLINE_MS)
        with watched(page, complaints, house.link.partition("#")[0]):
            page.goto(house.link)
            listen_in(page)
            page.get_by_label("Your name").fill(name)
            page.get_by_label("Your name").press("Enter")
            consent = page.get_by_role("button", name="Let him hear me")
            expect(consent).to_be_enabled(timeout=SOON * 1000)
            consent.click()
            expect(page.get_by_role("button", name="He hears me – stop")).to_be_visible()
            yield page
    finally:
        context.close()
