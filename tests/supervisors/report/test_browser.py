"""In a real browser the page needs no mouse, shows why, and breaks none of its own rules."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from supervisors.report.gathering import gather
from supervisors.report.page import Report, page
from supervisors.report.story import stories
from tests.browser.conftest import FLAGS, path_of_chromium
from tests.supervisors.report.evening import evening, write

WIDTHS = (400, 1280)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for all of this file."""
    path = path_of_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def opened(chromium: Browser, folder: Path, receipts: int) -> Iterator[Page]:
    """The report of such an evening; at the end nothing may have gone wrong."""
    found = gather([write(folder / "receipts.jsonl", evening(receipts))], lambda _: None)
    made = datetime(2026, 3, 2, tzinfo=UTC)
    report = folder / "report.html"
    report.write_text(page(Report(found=found, stories=tuple(stories(found)), made=made)), "utf-8")
    tab = chromium.new_page(viewport={"width": WIDTHS[-1], "height": 900})
    errors: list[str] = []
    tab.on("console", lambda message: errors.append(message.text))
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on(
        "request", lambda request: errors.append(request.url) if "report.html" not in request.url else None
    )
    tab.goto(report.as_uri())
    yield tab
    tab.close()
    assert errors == []


@pytest.fixture
def short(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """A page with one picture of everything."""
    yield from opened(chromium, tmp_path, 600)


@pytest.fixture
def long(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """A page that is folded up."""
    yield from opened(chromium, tmp_path, 9_000)


def test_keys_walk_the_timeline_and_lead_to_the_reason_and_back(short: Page) -> None:
    timeline, told = short.locator(".scroll").first, short.locator(".told")
    timeline.focus()
    for key in ("ArrowDown", "ArrowRight", "+", "+"):
        timeline.press(key)
    expect(told).to_contain_text("person")
    wide = short.evaluate("document.querySelector('.pic svg').clientWidth")
    assert wide == pytest.approx(4 * timeline.evaluate("box => box.clientWidth"), rel=0.01)
    for _ in range(4):
        if "shows why" not in told.inner_text():
            timeline.press("ArrowRight")
    timeline.press("Enter")
    expect(short.locator("tr.hit")).to_contain_text("person")
    assert short.evaluate("document.activeElement.closest('tr')?.className") is not None
    short.keyboard.press("Enter")
    assert short.evaluate("document.activeElement.className") == "scroll"


def test_reasons_can_be_sifted(short: Page) -> None:
    rows = short.locator(".why tbody tr:visible")
    every = rows.count()
    short.get_by_label("only where he stayed silent").check()
    silent = rows.count()
    assert 0 < silent < every
    short.get_by_label("Find").fill("person 1, stayed silent")
    assert 0 < rows.count() < silent
    expect(short.locator("output")).to_have_text(f"{rows.count()} of {every} rows")


def test_nothing_is_wider_than_the_window(short: Page) -> None:
    for width in WIDTHS:
        short.set_viewport_size({"width": width, "height": 900})
        assert short.evaluate("document.documentElement.scrollWidth") == width


def test_a_long_stay_opens_where_somebody_points(long: Page) -> None:
    assert long.locator(".stretch[open]").count() == 0
    long.locator("[class^=level]").nth(30).click()
    expect(long.locator(".stretch[open] .lane").first).to_be_visible()
    long.get_by_label("Find").fill("stayed silent")
    long.locator(".rows[open] tr:not([hidden]) a").first.click()
    expect(long.locator(".told")).to_contain_text("speaks")
