"""Whoever has no mouse, no sharp eyes or no large screen can do all of it as well."""

from __future__ import annotations

import time
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.evening import BEN, scene, view
from tests.browser.stub import Stub

VIEWS: Final = ("Room", "Why", "Tree", "Record")
NAMELESS: Final = """
() => [...document.querySelectorAll("button, input, select, textarea, meter, canvas, dialog, [role]:not([role=status], [role=alert])")]
  .filter((one) => one.checkVisibility())
  .filter((one) => {
    const by = one.getAttribute("aria-labelledby");
    const name = one.getAttribute("aria-label") || (by && document.getElementById(by)?.textContent)
      || one.labels?.[0]?.textContent || (one.matches("button, [role=tab]") && one.textContent);
    return !name?.trim();
  }).map((one) => one.outerHTML.slice(0, 120))
"""
FAINT: Final = """
() => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const mix = (below, colour) => {
    pen.fillStyle = `rgb(${below.join(" ")})`; pen.fillRect(0, 0, 1, 1);
    pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => rgb.map((one) => one / 255).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (one) => (one ? mix(ground(one.parentElement), getComputedStyle(one).backgroundColor) : [255, 255, 255]);
  const faint = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const one = text.parentElement;
    if (!text.textContent.trim() || !one.checkVisibility({ opacityProperty: true }) || one.closest(":disabled, .unseen, .skip, option, noscript, script, .absent")) continue;
    const below = ground(one), above = mix(below, getComputedStyle(one).color);
    const [bright, dark] = [light(below), light(above)].sort((a, b) => b - a), contrast = (bright + 0.05) / (dark + 0.05);
    const size = parseFloat(getComputedStyle(one).fontSize), large = size >= 24 || (size >= 18.6 && getComputedStyle(one).fontWeight >= 700);
    if (contrast < (large ? 3 : 4.5)) faint.push(`${contrast.toFixed(2)} ${text.textContent.trim().slice(0, 40)} (${one.className})`);
  }
  return faint;
}
"""
TOO_WIDE: Final = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


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
    stub.show({"view": "status", "status": stub.status | {"silent": ["he was cut off, and nobody has asked him since"]}})
    expect(page.get_by_role("list", name="Why he is silent")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_has_a_name_and_every_text_can_be_read(page: Page, stub: Stub, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    page.goto(stub.url)
    expect(page.get_by_label("Or paste the key here")).to_be_visible()
    assert (page.evaluate(NAMELESS), page.evaluate(FAINT)) == ([], [])
    sit(page, stub)
    for name in VIEWS:
        page.get_by_role("tab", name=name).click()
        assert (page.evaluate(NAMELESS), page.evaluate(FAINT)) == ([], []), name
    assert page.evaluate("document.querySelectorAll('h1').length") == 1
    assert page.evaluate("new Set([...document.querySelectorAll('[id]')].map(({ id }) => id)).size == document.querySelectorAll('[id]').length")


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1280, 800), (3840, 2160)])
def test_nothing_is_cut_off_at_the_side_on_any_screen(page: Page, stub: Stub, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    sit(page, stub)
    for name in VIEWS:
        page.get_by_role("tab", name=name).click()
        assert page.evaluate(TOO_WIDE) <= 0, name


def test_all_of_it_can_be_done_with_the_keyboard(page: Page, stub: Stub) -> None:
    page.goto(stub.link)
    expect(page.get_by_role("button", name="Join").first).to_be_visible()
    focused = page.locator(":focus")

    def walk_to(name: str) -> None:
        for _ in range(40):
            page.keyboard.press("Tab")
            if name in (focused.get_attribute("aria-label") or focused.get_attribute("id") or ""):
                return
            if focused.evaluate("(one) => one.textContent") == name:
                return
        raise AssertionError(f"no Tab key leads to {name}")

    walk_to("name")
    page.keyboard.type("Anna")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Let him hear me")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="He hears me – stop")).to_be_visible()
    for name in ("Mute my microphone", "device", "volume", "Ask him to leave", "written", "say", "ask"):
        walk_to(name)
    page.get_by_role("tab", name="Room").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Why")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Why")).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("tabpanel", name="Record")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Room")).to_have_attribute("aria-selected", "true")
    assert page.get_by_role("tabpanel").count() == 1


def test_colours_can_be_chosen_and_are_kept(page: Page, stub: Stub) -> None:
    page.emulate_media(color_scheme="light")
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
