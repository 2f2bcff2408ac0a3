"""A seat in the room: nobody is heard before he says so, and everything that is said there stays text."""

from __future__ import annotations

import math
import re
from array import array

from playwright.sync_api import Page, expect

from messages.evidence import Consent, HeardWords
from tests.browser.evening import ANNA, BEN, STAY, view
from tests.browser.stub import SECONDS, Sound, Stub, Told
from tests.browser.tap import listen_in, loudest, played, wait

FRAME = 480
TONE = array("h", [round(9000 * math.sin(at / 6)) for at in range(FRAME)]).tobytes()
EVIL = '<img src=x onerror="window.broken = true"><b>Ben</b>'
TROUBLE = {
    "NotAllowedError": "Allow it at the left end of the address bar",
    "NotFoundError": "Plug one in",
    "NotReadableError": "Another program holds the microphone",
}


def join(page: Page, stub: Stub, name: str = "Anna") -> None:
    """Sit down, which has to be seen by the house."""
    page.goto(stub.link)
    sit(page, name)


def sit(page: Page, name: str = "Anna") -> None:
    """Sit down on a page that is open."""
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Your name").press("Enter")
    expect(page.get_by_role("button", name="Leave the room")).to_be_visible()


def said(stub: Stub, kind: str) -> dict[str, object]:
    """What the page said next of this kind at its seat."""
    while True:
        told = stub.told.expect(Told, SECONDS)
        if told.where == "/room" and told.body["type"] == kind:
            return dict(told.body)


def test_a_browser_that_comes_back_names_the_same_token(page: Page, stub: Stub) -> None:
    join(page, stub)
    token = said(stub, "join")["token"]
    page.get_by_role("button", name="Leave the room").click()
    page.reload()
    page.get_by_role("button", name="Join").first.click()
    assert said(stub, "join")["token"] == token


def test_who_joins_is_not_heard_until_he_says_so_and_no_longer_than_he_likes(page: Page, stub: Stub) -> None:
    join(page, stub)
    hello = said(stub, "join")
    rate = hello["rate"]
    assert isinstance(rate, int)
    token = hello["token"]
    assert hello == {"type": "join", "name": "Anna", "rate": rate, "token": token}
    assert re.fullmatch("[0-9a-f]{32}", str(token))
    assert len(stub.told.expect(Sound, SECONDS).pcm) == 2 * round(rate / 50)
    consent = page.get_by_role("button", name="Let him hear me")
    expect(consent).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_text("He does not hear you")).to_be_visible()
    consent.click()
    assert said(stub, "consent")["granted"] is True
    heard = page.get_by_role("button", name="He hears me – stop")
    expect(heard).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Clankie, what time is it?")).to_be_visible()
    heard.click()
    assert said(stub, "consent")["granted"] is False
    expect(consent).to_have_attribute("aria-pressed", "false")


def test_consent_ends_with_the_receipt_that_says_so_and_with_his_leaving(page: Page, stub: Stub) -> None:
    join(page, stub)
    heard = page.get_by_role("button", name="He hears me – stop")
    page.get_by_role("button", name="Let him hear me").click()
    expect(heard).to_be_visible()
    stub.show(view(Consent(stay_id=STAY, person_id=ANNA, phase="withdrawn")))
    expect(heard).to_be_hidden()
    page.get_by_role("button", name="Let him hear me").click()
    expect(heard).to_be_visible()
    stub.present = False
    stub.here()
    expect(page.get_by_role("button", name="Let him hear me")).to_be_disabled()
    expect(page.get_by_text("Call him in, then let him hear you")).to_be_visible()
    page.get_by_role("button", name="Call him in").click()
    while stub.told.expect(Told, SECONDS).where != "/stays/join":
        pass


def test_a_muted_microphone_sends_nothing(page: Page, stub: Stub) -> None:
    join(page, stub)
    stub.told.expect(Sound, SECONDS)
    page.get_by_role("button", name="Mute my microphone").click()
    expect(page.get_by_role("button", name="Mute my microphone")).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Write to the room").fill("not aloud")
    page.get_by_label("Write to the room").press("Enter")
    said(stub, "line")
    stub.told.clear()
    page.get_by_label("Write to the room").fill("still not")
    page.get_by_label("Write to the room").press("Enter")
    said(stub, "line")
    assert not [one for one in stub.told.received() if isinstance(one, Sound)]


def test_names_and_lines_of_others_stay_text(page: Page, stub: Stub) -> None:
    stub.people = [{"person": BEN, "name": EVIL, "slot": 1}]
    join(page, stub)
    stub.say(
        {"type": "line", "name": EVIL, "text": EVIL, "his": False},
        {"type": "question", "text": EVIL, "open": True},
    )
    stub.show(view(HeardWords(stay_id=STAY, person_id=BEN, label=EVIL, text=EVIL, typed=False)))
    log = page.get_by_role("log", name="What is written and said")
    expect(log.get_by_text(EVIL)).to_have_count(4)
    expect(page.get_by_role("list", name="Who is here").get_by_text(EVIL)).to_be_visible()
    expect(page.get_by_role("group", name="He asks").get_by_text(EVIL)).to_be_visible()
    assert page.locator("img").count() == 0
    assert page.evaluate("window.broken") is None


def test_no_mark_turns_around_what_follows_it(page: Page, stub: Stub) -> None:
    join(page, stub)
    stub.say({"type": "line", "name": "Ben\u202e", "text": "a\u202eb\u2066c", "his": False})
    log = page.get_by_role("log", name="What is written and said")
    expect(log.get_by_text("abc")).to_be_visible()
    assert log.text_content() == "Clankie is in the room.Benabc"


def test_what_is_written_is_shown_once(page: Page, stub: Stub) -> None:
    join(page, stub)
    stub.say({"type": "line", "name": "Ben", "text": "hello", "his": False})
    for typed, text in ((True, "hello"), (False, "goodbye")):
        stub.show(view(HeardWords(stay_id=STAY, person_id=BEN, label="Ben", text=text, typed=typed)))
    log = page.get_by_role("log", name="What is written and said")
    expect(log.get_by_text("goodbye")).to_have_count(1)
    expect(log.get_by_text("hello")).to_have_count(1)


def test_his_question_is_answered_by_a_button_and_goes_away(page: Page, stub: Stub) -> None:
    join(page, stub)
    stub.say({"type": "question", "text": "Shall I?", "open": True})
    page.get_by_role("group", name="He asks").get_by_role("button", name="Yes").click()
    assert said(stub, "press")["granted"] is True
    stub.say({"type": "question", "text": "Shall I?", "open": False})
    expect(page.get_by_role("group", name="He asks")).to_be_hidden()


def test_a_microphone_that_will_not_is_explained_and_tried_again(page: Page, stub: Stub) -> None:
    page.goto(stub.link)
    page.evaluate("""() => {
      const devices = navigator.mediaDevices, lend = devices.getUserMedia.bind(devices);
      devices.getUserMedia = async (wanted) => {
        if (window.trouble) throw new DOMException("no", window.trouble);
        return lend(wanted);
      };
      window.trouble = "NotAllowedError";
    }""")
    sit(page)
    for name, remedy in TROUBLE.items():
        page.evaluate("(name) => { window.trouble = name; }", name)
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("alert").filter(has_text=remedy)).to_be_visible()
    page.evaluate("window.trouble = null")
    page.get_by_role("button", name="Try again").click()
    stub.told.expect(Sound, SECONDS)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_microphone_that_is_unplugged_is_missed_at_once(page: Page, stub: Stub) -> None:
    page.goto(stub.link)
    page.evaluate("""() => {
      const devices = navigator.mediaDevices, lend = devices.getUserMedia.bind(devices);
      devices.getUserMedia = async (wanted) => (window.lent = await lend(wanted));
    }""")
    sit(page)
    page.get_by_role("button", name="Let him hear me").click()
    expect(page.get_by_text("Just talk.")).to_be_visible()
    page.evaluate("document.getElementById('level').value = 0.5")
    page.evaluate("window.lent.getAudioTracks()[0].dispatchEvent(new Event('ended'))")
    expect(page.get_by_role("alert").filter(has_text="was unplugged")).to_be_visible()
    expect(page.get_by_text("He would hear you, but no microphone is open")).to_be_visible()
    assert page.evaluate("document.getElementById('level').value") == 0
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Just talk.")).to_be_visible()


def test_the_microphone_that_was_chosen_last_is_the_one_that_is_used(page: Page, stub: Stub) -> None:
    page.goto(stub.bare)
    used = page.evaluate("""async () => {
      const { Microphone } = await import("/assets/sound.js"), answers = [];
      navigator.mediaDevices.getUserMedia = () => new Promise((answer) => answers.push(answer));
      const microphone = new Microphone(), context = new AudioContext();
      const streams = [0, 1].map(() => context.createMediaStreamDestination().stream);
      microphone.start();
      const listening = [microphone.listen("first"), microphone.listen("second")];
      while (answers.length < 2) await new Promise((then) => setTimeout(then));
      answers.forEach((answer, at) => answer(streams[at]));
      await Promise.all(listening);
      const live = streams.map((stream) => stream.getAudioTracks()[0].readyState);
      microphone.close();
      return live;
    }""")
    assert used == ["ended", "live"]


def test_a_browser_without_a_loudspeaker_says_nothing_and_the_page_does(page: Page, stub: Stub) -> None:
    page.goto(stub.link)
    page.evaluate(
        "Object.defineProperty(AudioContext.prototype, 'state', { get: () => window.state ?? 'suspended' })"
    )
    sit(page)
    silent = page.get_by_role("alert").filter(has_text="No sound can be played")
    expect(silent).to_be_visible()
    page.get_by_role("button", name="Leave the room").click()
    expect(silent).to_be_hidden()


def test_a_seat_that_was_lost_is_taken_again_without_the_consent(
    page: Page, stub: Stub, complaints: list[str]
) -> None:
    join(page, stub)
    page.get_by_role("button", name="Let him hear me").click()
    expect(page.get_by_role("button", name="He hears me – stop")).to_be_visible()
    stub.close()
    expect(page.get_by_text("Coming back as soon as it can be reached")).to_be_visible()
    expect(page.get_by_role("button", name="Let him hear me")).to_be_disabled()
    stub.open()
    expect(page.get_by_text("You are back in the room")).to_be_visible()
    expect(page.get_by_role("button", name="Let him hear me")).to_be_enabled()
    expect(page.get_by_text("Coming back as soon as it can be reached")).to_be_hidden()
    complaints.clear()


def test_after_a_reload_one_press_sits_down_again_and_he_hears_nobody(page: Page, stub: Stub) -> None:
    join(page, stub)
    page.get_by_role("button", name="Let him hear me").click()
    expect(page.get_by_role("button", name="He hears me – stop")).to_be_visible()
    page.reload()
    again = page.get_by_role("button", name="Sit down again as Anna")
    expect(again).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Let him hear me")).to_be_focused()
    page.get_by_role("button", name="Leave the room").click()
    expect(page.get_by_label("Your name")).to_be_focused()
    page.reload()
    expect(page.get_by_role("button", name="Join")).to_be_visible()
    expect(again).to_be_hidden()


def test_a_seat_that_is_refused_says_why_and_can_be_asked_for_again(page: Page, stub: Stub) -> None:
    stub.refusal = "All 8 seats are taken; join when somebody has left."
    page.goto(stub.link)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Join").first.click()
    expect(page.get_by_role("alert").filter(has_text="All 8 seats are taken")).to_be_visible()
    expect(page.get_by_label("Your name")).to_be_focused()


def test_others_are_heard_and_seen_to_speak_and_silence_follows_the_last_frame(
    page: Page, stub: Stub
) -> None:
    stub.people = [{"person": BEN, "name": "Ben", "slot": 1}]
    page.goto(stub.link)
    listen_in(page)
    sit(page)
    wait(page, FRAME)
    stub.say(*[b"\1" + TONE] * 10)
    ben = page.get_by_role("list", name="Who is here").get_by_role("listitem").filter(has_text="Ben")
    expect(ben).to_contain_text("speaking")
    expect(ben).not_to_contain_text("speaking")
    loud = [sample for sample in array("h", played(page)) if abs(sample) > 200]
    assert 0.8 * 10 * FRAME < len(loud) < 1.1 * 10 * FRAME
    wait(page, 4 * FRAME)
    assert loudest(played(page)) < 10


def test_a_house_without_a_room_shows_none(page: Page, stub: Stub) -> None:
    stub.status |= {"room": None}
    page.goto(stub.link)
    expect(page.get_by_role("heading", name="Now")).to_be_visible()
    expect(page.get_by_role("heading", name="The room")).to_be_hidden()
