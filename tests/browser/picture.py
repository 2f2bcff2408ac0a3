"""Write docs/page.png: the page of the real program, while two people talk with him."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.conftest import launch
from tests.browser.house import SOON, recording, running, seated
from tests.source import ROOT

STORY: Final = (
    "There was once a lighthouse whose keeper counted the waves. He wrote each of them into a book, and when"
    " the book was full he began another one. After a hundred years somebody asked him what the sum was."
)
TEA: Final = "There is a tin of the good tea on the upper shelf, behind the rice."


def say(page: Page, text: str) -> None:
    """Let him say this."""
    page.get_by_label("Say this, word for word").fill(text)
    page.get_by_label("Say this, word for word").press("Enter")


def said(page: Page, text: str) -> None:
    """Wait until somebody said something like this."""
    log = page.get_by_role("log", name="What is written and said")
    expect(log.get_by_text(re.compile(text, re.IGNORECASE)).first).to_be_visible(timeout=3 * SOON * 1000)


def draw(folder: Path, to: Path) -> None:
    """Play it, and take the picture while he speaks."""
    asks = recording(
        folder / "asks.wav",
        3.0,
        "Clankie, what time is it?",
        7.0,
        "Clankie, who is here?",
        36.0,
        "Oh, that is where it is.",
        60.0,
        pitch=1.25,
    )
    stops = recording(
        folder / "stops.wav",
        4.5,
        "Clankie, stop!",
        9.0,
        "Is there any tea left in this house?",
        60.0,
        pitch=0.8,
    )
    complaints: list[str] = []
    with (
        sync_playwright() as playwright,
        running(folder) as house,
        launch(playwright, asks) as hers,
        launch(playwright, stops) as his,
        seated(hers, house, "Anna", complaints) as anna,
    ):
        anna.set_viewport_size({"width": 1280, "height": 1200})
        anna.emulate_media(color_scheme="light")
        said(anna, "In local")
        anna.wait_for_timeout(4000)
        say(anna, STORY)
        with seated(his, house, "Ben", complaints):
            said(anna, "cut off")
            said(anna, "tea left")
            say(anna, TEA)
            said(anna, "that is where")
            anna.wait_for_timeout(1500)
            say(anna, STORY)
            anna.wait_for_timeout(9500)
            anna.screenshot(path=to)
    assert complaints == [], complaints


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        draw(Path(folder), ROOT / "docs" / "page.png")
