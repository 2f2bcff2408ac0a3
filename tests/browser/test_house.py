"""Two people talk with the real program in real browsers, and he hears, answers and is interrupted."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from actors.evidence.reader import read, receipt_files
from actors.evidence.wire import Entry
from messages.evidence import Consent, Interrupted, Left, Playback, Utterance
from tests.browser.house import SOON, Running, recording, running, seated
from tests.browser.tap import loudest, played, wait
from tests.models import whisper
from tests.speech.clips import normal

QUESTION = "Clankie, what time is it? Clankie, what time is it?"
"""Twice in one breath: where the machine is busy, a word may get lost on its way."""
STOP = "Clankie, stop! Clankie, stop!"
KETTLE = "I left the kettle on. Yes, the kettle."
STORY = "There was once a lighthouse, and its keeper counted the waves, one after the other. " * 5
RATE = 24_000
QUIET = 200
"""Of 32,767."""
AT_ONCE = 3.0
"""Seconds until somebody speaks who has just sat down."""


def said(page: Page, text: str | re.Pattern[str]) -> None:
    """It was said aloud, and stands in the conversation."""
    log = page.get_by_role("log", name="What is written and said")
    expect(log.get_by_text(text).first).to_be_visible(timeout=SOON * 1000)


def words_in(sound: bytes) -> set[str]:
    """What another pair of ears makes of it."""
    return set(normal(whisper().transcribe(sound).text))


def receipts(house: Running) -> list[object]:
    """All that is on record."""
    return [one.receipt for one in read(receipt_files(house.record)) if isinstance(one, Entry)]


def interrupted(anna: Page, ben: Page) -> None:
    """He tells a long story and stops when Ben wants him to, and what Ben says then is heard by Anna."""
    expect(anna.get_by_text("cut off")).to_be_visible(timeout=SOON * 1000)
    before = played(anna)
    said(anna, re.compile("kettle", re.IGNORECASE))
    after = played(anna)
    wait(anna, RATE // 2)
    assert loudest(played(anna)) < QUIET < loudest(before)
    assert {"lighthouse", "keeper", "counted"} & words_in(played(ben))
    assert {"left", "kettle"} & words_in(after)


def test_people_talk_with_him_through_the_page(chromium: Browser, microphone: Path, tmp_path: Path) -> None:
    recording(microphone, AT_ONCE, QUESTION, 1.0, pitch=0.8)
    complaints: list[str] = []
    with (
        running(tmp_path) as house,
        seated(chromium, house, "Anna", complaints) as anna,
    ):
        said(anna, re.compile("what time is it", re.IGNORECASE))
        said(anna, re.compile(r"It is \d"))
        assert {"it", "is"} <= words_in(played(anna))
        anna.get_by_label("Say this, word for word").fill(STORY)
        anna.get_by_label("Say this, word for word").press("Enter")
        expect(anna.locator("#answers .done")).to_be_visible()
        recording(microphone, AT_ONCE, STOP, 2.0, KETTLE, 1.0, pitch=1.25)
        with seated(chromium, house, "Ben", complaints) as ben:
            interrupted(anna, ben)
        anna.get_by_role("button", name="He hears me – stop").click()
        expect(anna.get_by_role("button", name="Let him hear me")).to_be_visible()
        anna.get_by_role("tab", name="Why").click()
        expect(anna.get_by_role("row").filter(has_text="Anna").first).to_contain_text("addressed")
    assert complaints == []
    on_record = receipts(house)
    people = {one.person_id for one in on_record if isinstance(one, Utterance)}
    granted = {one.person_id for one in on_record if isinstance(one, Consent) and one.phase == "granted"}
    assert people == granted
    assert len(people) == 2
    assert [one.rule for one in on_record if isinstance(one, Interrupted)] == ["control"]
    assert "cut" in {one.phase for one in on_record if isinstance(one, Playback)}
    assert [one.reason for one in on_record if isinstance(one, Left)] == ["shutdown"]
