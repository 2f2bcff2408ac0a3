"""What the operator sees and orders: every answer is shown, and the grave orders are thought over twice."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from messages.evidence import FloorDecision, Playback
from messages.ids import LineId, TurnId
from tests.browser.evening import ANNA, STAY, scene, status, view
from tests.browser.stub import SECONDS, Stub, Told


def come(page: Page, stub: Stub, view_name: str = "Room") -> None:
    """Open the page and one of its views, once it watches the house."""
    page.goto(stub.link)
    page.get_by_role("tab", name=view_name).click()
    while stub.told.expect(Told, SECONDS).where != "/events":
        pass


def ordered(stub: Stub, path: str) -> Any:
    """The body of the next order at this path."""
    while True:
        told = stub.told.expect(Told, SECONDS)
        if told.where == path:
            return told.body


def test_each_order_is_sent_as_it_is_written_down_and_its_answer_shown(page: Page, stub: Stub) -> None:
    come(page, stub)
    page.get_by_label("Say this, word for word").fill("Dinner is ready.")
    page.get_by_role("button", name="Say", exact=True).click()
    assert ordered(stub, "/say") == {"text": "Dinner is ready."}
    expect(page.locator("#answers")).to_contain_text("It is done")
    expect(page.get_by_label("Say this, word for word")).to_have_value("")
    page.get_by_label("Be silent for so many minutes").fill("1.5")
    page.get_by_role("button", name="Hush").click()
    assert ordered(stub, "/hush") == {"seconds": 90}
    page.get_by_role("button", name="Interrupt").click()
    assert ordered(stub, "/interrupt") == {}
    page.get_by_label("Come into a room").fill("7")
    page.get_by_role("button", name="Come", exact=True).click()
    assert ordered(stub, "/stays/join") == {"room": "7"}
    page.get_by_role("button", name="Leave", exact=True).click()
    assert ordered(stub, "/stays/leave") == {}
    page.get_by_role("button", name="Put the record on disk").click()
    assert ordered(stub, "/evidence/flush") == {}


def test_an_order_that_is_refused_says_why_and_keeps_the_words(
    page: Page, stub: Stub, complaints: list[str]
) -> None:
    refused = {"result": "refused", "code": "busy", "text": "too much of the kind waits already", "facts": {}}
    stub.answers["/say"] = (409, refused)
    come(page, stub)
    page.get_by_label("Say this, word for word").fill("Dinner is ready.")
    page.get_by_label("Say this, word for word").press("Enter")
    expect(page.locator("#answers")).to_contain_text("Too much of the kind waits already")
    expect(page.get_by_label("Say this, word for word")).to_have_value("Dinner is ready.")
    complaints.clear()  # a browser logs every 409


def test_with_several_stays_an_order_names_the_one_that_was_chosen(page: Page, stub: Stub) -> None:
    stub.status = status(stays=2)
    come(page, stub)
    page.get_by_label("Which stay").select_option("other-1")
    page.get_by_role("button", name="Interrupt").click()
    assert ordered(stub, "/interrupt") == {"stay": "other-1"}


@pytest.mark.parametrize(
    ("view_name", "button", "yes", "path", "body"),
    [
        ("Room", "Close the house", "Close the house", "/shutdown", {}),
        ("Tree", "Restart evidence", "Restart", "/actors/restart", {"path": "evidence"}),
    ],
)
def test_a_grave_order_is_given_only_by_who_is_sure(
    page: Page, stub: Stub, view_name: str, button: str, yes: str, path: str, body: dict[str, str]
) -> None:
    come(page, stub, view_name)
    page.get_by_role("button", name=button).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="No")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name=button).click()
    dialog.get_by_role("button", name="No").click()
    assert path not in [told.where for told in stub.told.received() if isinstance(told, Told)]
    page.get_by_role("button", name=button).click()
    dialog.get_by_role("button", name=yes).click()
    assert ordered(stub, path) == body
    page.get_by_role("button", name=button).click()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert [told.where for told in stub.told.received() if isinstance(told, Told)].count(path) == 1


def test_the_captain_answers_line_by_line(page: Page, stub: Stub) -> None:
    come(page, stub)
    page.get_by_label("Ask the captain").fill("What time is it?")
    page.get_by_label("Ask the captain").press("Enter")
    answer = page.get_by_role("log", name="The captain's answer")
    expect(answer).to_contain_text("look_up: done")
    expect(answer).to_contain_text("It is noon.")


def test_what_keeps_him_silent_is_said_and_how_each_stay_is(page: Page, stub: Stub) -> None:
    come(page, stub)
    reasons = page.get_by_role("list", name="Why he is silent")
    expect(reasons).to_be_hidden()
    hushed = status(silent=["the operator has told him to be silent for 4 more minutes"])
    hushed["stays"][0] |= {"hushed_s": 239.0, "link_lost": "timeout"}
    stub.show({"view": "status", "status": hushed})
    expect(reasons).to_contain_text("silent for 4 more minutes")
    stay = page.get_by_role("article")
    for told in ("3 min 59 s", "lost (timeout)", "2 of 2", "0.0831 USD", "engaged with"):
        expect(stay).to_contain_text(told)


def test_why_shows_what_was_known_before_and_what_happens_now_and_can_be_searched(
    page: Page, stub: Stub
) -> None:
    line = {
        "at": 1.0,
        "stay_id": STAY,
        "line_id": "l0",
        "person_id": ANNA,
        "heard_as": "mentioned",
        "turn_id": "t0",
    }
    turn = {
        "turn_id": "t0",
        "stay_id": STAY,
        "at": 1.0,
        "trigger": "offer",
        "outcome": "silent",
        "first_audio_ms": None,
    }
    stub.why = {"lines": [line | {"decision": "offer", "rule": "possessive"}], "turns": [turn]}
    come(page, stub, "Why")
    rows = page.get_by_role("region", name="Lines and turns").locator("tbody tr")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("offer → silent")
    now = time.time()
    stub.show(*[view(told, at) for at, told in scene(now)])
    expect(rows).to_have_count(8)
    expect(rows.first).to_contain_text("1.74 s to the first sound")
    expect(rows.filter(has_text="cut (control)")).to_contain_text("19 ms to silence")
    page.get_by_label("Show only").fill("vocative")
    expect(rows).to_have_count(2)
    page.get_by_label("Show only").fill("")
    page.get_by_label("Outcome").select_option("silent")
    expect(rows.filter(has_text="possessive")).to_have_count(1)
    expect(rows.filter(has_text="→ spoke")).to_have_count(0)


def test_the_tree_shows_every_actor_and_follows_it(page: Page, stub: Stub) -> None:
    come(page, stub, "Tree")
    rows = page.get_by_role("region", name="Actors").locator("tbody tr")
    expect(rows).to_have_count(11)
    changed = status()
    changed["tree"]["children"][0] |= {"state": "closing", "restarts": 7, "mailbox_depth": 41}
    del changed["tree"]["children"][1]
    stub.show({"view": "status", "status": changed})
    expect(rows).to_have_count(10)
    for told in ("closing", "7", "41", "written 812"):
        expect(rows.nth(1)).to_contain_text(told)
    page.set_viewport_size({"width": 375, "height": 800})
    first = rows.nth(1).bounding_box()
    assert first is not None
    assert first["height"] < 120
    for cell in ("closing", "Restart"):
        box = rows.nth(1).get_by_text(cell).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] < 375, cell


def test_the_record_runs_along_and_stands_still_when_told_to(page: Page, stub: Stub) -> None:
    come(page, stub, "Record")
    decided = FloorDecision(
        stay_id=STAY,
        person_id=ANNA,
        line_id=LineId("l"),
        heard_as="addressed",
        decision="wake",
        rule="vocative",
        turn_id=TurnId("t"),
    )
    receipts = page.get_by_role("log", name="Receipts").get_by_role("listitem")
    stub.show(view(decided))
    expect(receipts).to_contain_text("was heard as addressed: wake, by the rule vocative")
    page.get_by_role("button", name="Pause").click()
    stub.show(view(decided), view(decided))
    expect(page.get_by_role("button", name="Go on (2 unseen)")).to_be_visible()
    expect(receipts).to_have_count(1)
    page.get_by_role("button", name="Go on").click()
    stub.show(*[view(decided)] * 450)
    expect(receipts).to_have_count(400)


def test_the_log_is_asked_for_only_while_somebody_wants_it(page: Page, stub: Stub) -> None:
    come(page, stub, "Record")
    page.get_by_label("show the log").check()
    assert ordered(stub, "/events") == {"words": "1", "logs": "1"}
    page.get_by_role("tab", name="Record").focus()
    stub.show({"view": "log", "at": 1.0, "level": "ERROR", "text": "<i>it failed</i>"})
    expect(page.get_by_role("log", name="Log")).to_contain_text("<i>it failed</i>")
    page.get_by_label("show the log").uncheck()
    assert ordered(stub, "/events") == {"words": "1", "logs": "0"}


def test_the_picture_of_the_evening_is_drawn_and_says_what_is_under_the_pointer(
    page: Page, stub: Stub
) -> None:
    come(page, stub)
    page.evaluate("""() => {
      const draw = CanvasRenderingContext2D.prototype.fillText;
      window.drawn = new Set();
      CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
        window.drawn.add(text);
        draw.call(this, text, ...at);
      };
    }""")
    lanes = page.get_by_role("img", name="Who spoke when")
    long_ago = [view(told, at) for at, told in scene(time.time() - 600) if not isinstance(told, Playback)]
    stub.show(*long_ago, {"view": "status", "status": stub.status})
    expect(lanes).to_have_css("height", "78px")
    stub.show(*[view(told, at) for at, told in scene(time.time())])
    box = lanes.bounding_box()
    assert box is not None
    left = min(128.0, box["width"] * 0.24)
    # He said the sentence that was cut off about a minute ago, and his lane is the lowest.
    x = left + (box["width"] - left) * (1 - 60 / 120)
    expect(lanes).to_have_css("height", "156px")
    axis = page.evaluate("[...window.drawn].filter((text) => /^[0-9.]+ (s|min)|^now$/.test(text))")
    assert axis == ["30 s", "1 min", "1.5 min", "2 min ago", "now"]
    lanes.hover(position={"x": x, "y": 100})
    expect(page.locator("#told")).to_contain_text("There was once a lighthouse")
