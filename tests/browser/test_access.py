"""Whoever has no mouse, no sharp eyes or no large screen can do all of it as well."""

from __future__ import annotations

import time
from typing import Final, Literal

from playwright.sync_api import Page, expect

from tests.browser.evening import BEN, scene, view
from tests.browser.looks import FAINT, NAMELESS, TOO_WIDE, TWICE
from tests.browser.stub import Stub

SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
FOCUSED: Final = "['ariaLabel', 'id', 'textContent'].map((name) => document.activeElement[name])"
VIEWS: Final = ("Room", "Why", "Tree", "Record")


def readable(page: Page, where: str) -> None:
    """Every control has a name and every text stands out, in both colours."""
    assert page.evaluate(NAMELESS) == [], where
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(FAINT) == [], (where, scheme)


def sit(page: Page, stub: Stub) -> None:
    """Be in the middle of an evening with everything on the page that can be there."""
    stub.people = [{"person": BEN, "name": "Ben", "slot": 1}]
    page.goto(stub.link)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_label("Your name").press("Enter")
    page.get_by_role("button", name="Let him hear me").click()
    expect(page.get_by_role("button", name="He hears me – stop")).to_be_visible()
    stub.say({"type": "question", "text": "Shall I close the window?", "open": True})
    stub.show(*[view(told, at) for at, told in scene(time.time())])
    stub.show(
        {
            "view": "status",
            "status": stub.status | {"silent": ["he was cut off, and nobody has asked him since"]},
        }
    )
    expect(page.get_by_role("list", name="Why he is silent")).to_be_visible()


def test_everything_has_a_name_and_every_text_can_be_read(page: Page, stub: Stub) -> None:
    page.goto(stub.url)
    expect(page.get_by_label("Or paste the key here")).to_be_visible()
    readable(page, "door")
    sit(page, stub)
    for name in VIEWS:
        page.get_by_role("tab", name=name).click()
        readable(page, name)
    assert page.evaluate("document.querySelectorAll('h1').length") == 1
    assert page.evaluate(TWICE) == []


def test_nothing_is_cut_off_at_the_side_on_any_screen(page: Page, stub: Stub) -> None:
    sit(page, stub)
    for width, height in ((360, 640), (640, 450), (1280, 800), (2500, 700)):
        page.set_viewport_size({"width": width, "height": height})
        for name in VIEWS:
            page.get_by_role("tab", name=name).click()
            assert page.evaluate(TOO_WIDE) <= 0, (width, name)


def test_all_of_it_can_be_done_with_the_keyboard(page: Page, stub: Stub) -> None:
    page.goto(stub.link)
    expect(page.get_by_role("button", name="Join").first).to_be_visible()

    def walk_to(name: str) -> None:
        for _ in range(40):
            page.keyboard.press("Tab")
            if name in page.evaluate(FOCUSED):
                return
        raise AssertionError(f"no Tab key leads to {name}")

    walk_to("name")
    page.keyboard.type("Anna")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Let him hear me")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="He hears me – stop")).to_be_focused()
    walk_to("Ask him to leave")
    page.keyboard.press("Space")
    expect(page.locator("#answers")).to_contain_text("It is done")
    expect(page.get_by_role("button", name="Ask him to leave")).to_be_focused()
    page.get_by_role("button", name="He hears me – stop").focus()
    for name in ("Mute my microphone", "device", "volume", "Ask him to leave", "written", "say", "ask"):
        walk_to(name)
    page.get_by_role("tab", name="Room").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Why")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Why")).to_be_visible()
    assert page.locator("[role=tab][tabindex='-1']").count() == 3
    page.keyboard.press("End")
    expect(page.get_by_role("tabpanel", name="Record")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Room")).to_have_attribute("aria-selected", "true")
    assert page.get_by_role("tabpanel").count() == 1


def test_colours_can_be_chosen_and_are_kept(page: Page, stub: Stub) -> None:
    page.goto(stub.link)
    colours = page.get_by_role("button", name="Colours")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    colours.click()
    colours.click()
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark
