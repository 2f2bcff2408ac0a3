"""One tab of one real Chromium for all tests, in which no page causes an error or asks a stranger."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    Request,
    expect,
    sync_playwright,
)

from actors.audio.pcm import RATE, SAMPLE_BYTES, write_wav
from tests.browser.evening import status
from tests.browser.stub import Stub

CHROMIUM: Final = Path("/usr/bin/chromium")
FLAGS: Final = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
)
DEADLINE_MS: Final = 8_000
expect.set_options(timeout=DEADLINE_MS)


def path_of_chromium() -> Path:
    """Where it is; without one the test is skipped, but never where the suite decides."""
    if not CHROMIUM.exists():
        reason = f"no browser at {CHROMIUM}; on Debian: apt-get install chromium"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return CHROMIUM


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """What drives browsers; while it does, this thread can run no loop of asyncio."""
    path_of_chromium()
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def microphone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recording that whoever opens a microphone next is heard with, to its end."""
    file = tmp_path_factory.mktemp("browser") / "microphone.wav"
    write_wav(file, bytes(RATE * SAMPLE_BYTES))
    return file


@pytest.fixture(scope="package")
def chromium(playwright: Playwright, microphone: Path) -> Iterator[Browser]:
    """A browser for all tests here."""
    browser = launch(playwright, microphone)
    yield browser
    browser.close()


def launch(playwright: Playwright, microphone: Path) -> Browser:
    """Start a browser that reads this file anew for everybody who opens a microphone."""
    flags = [*FLAGS, f"--use-file-for-fake-audio-capture={microphone}%noloop"]
    return playwright.chromium.launch(executable_path=path_of_chromium(), args=flags)


@pytest.fixture(scope="package")
def tab(chromium: Browser) -> Page:
    """What all tests here share: a process for each would cost more than what is tried in it."""
    page = chromium.new_page()
    page.set_default_timeout(DEADLINE_MS)
    return page


@pytest.fixture
def stub() -> Iterator[Stub]:
    """A house of paper that listens."""
    with Stub(status()) as stub:
        yield stub


@pytest.fixture
def complaints() -> list[str]:
    """What the browser complained of; a test that expects that clears it."""
    return []


@pytest.fixture
def page(tab: Page, stub: Stub, complaints: list[str]) -> Iterator[Page]:
    """The tab at no address; each stub has one of its own, for which nothing was kept yet."""
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.emulate_media(color_scheme="light", reduced_motion="reduce")
    with watched(tab, complaints, stub.url):
        yield tab
        tab.goto("about:blank")
    assert complaints == []


@contextmanager
def watched(page: Page, complaints: list[str], home: str) -> Generator[None]:
    """Note errors of the page and every request that leaves the house."""

    def wrote(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            complaints.append(f"{message.type}: {message.text}")

    def asked(request: Request) -> None:
        if not request.url.startswith((home, "about:", "data:", "blob:")):
            complaints.append(f"asked {request.url}")

    def raised(error: Error) -> None:
        complaints.append(f"raised {error}")

    page.on("console", wrote)
    page.on("request", asked)
    page.on("pageerror", raised)
    try:
        yield
    finally:
        page.remove_listener("console", wrote)
        page.remove_listener("request", asked)
        page.remove_listener("pageerror", raised)
