"""Only who has the key comes in, and the key is seen by nobody."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.stub import KEY, Stub

CARD = "This house has a key"


def test_a_key_in_the_address_opens_the_page_and_is_gone_from_there_at_once(
    page: Page, stub: Stub, complaints: list[str]
) -> None:
    page.goto(stub.link)
    expect(page.get_by_role("tab", name="Room")).to_be_visible()
    assert page.url == stub.url
    assert KEY not in page.content()
    page.reload()
    expect(page.get_by_role("tab", name="Room")).to_be_visible()
    page.get_by_role("link", name="Skip to the page").press("Enter")
    page.goto(f"{stub.url}#key=of-another-life")
    expect(page.get_by_role("alert").first).to_contain_text("does not open this house")
    assert page.url == stub.url
    complaints.clear()


def test_a_browser_that_keeps_nothing_shows_the_page_all_the_same(chromium: Browser, stub: Stub) -> None:
    context = chromium.new_context()
    context.add_init_script("""
      const denied = { get() { throw new DOMException("no", "SecurityError"); } };
      for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, denied);
    """)
    page = context.new_page()
    page.goto(stub.link)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Colours").click()
    page.get_by_label("Your name").press("Enter")
    expect(page.get_by_role("button", name="Let him hear me")).to_be_visible()
    context.close()


def test_without_a_key_the_page_says_how_to_get_one_and_a_wrong_one_opens_nothing(
    page: Page, stub: Stub, complaints: list[str]
) -> None:
    page.goto(stub.url)
    expect(page.get_by_role("heading", name=CARD)).to_be_visible()
    expect(page.get_by_text("clankie page")).to_be_visible()
    field = page.get_by_label("Or paste the key here")
    expect(field).to_be_focused()
    field.fill("another")
    field.press("Enter")
    expect(page.get_by_role("alert").first).to_contain_text("does not open this house")
    assert page.get_by_role("tab").count() == 0
    complaints.clear()  # a browser logs every 401
    field.fill(KEY)
    field.press("Enter")
    expect(page.get_by_role("tab", name="Room")).to_be_visible()
    expect(page.get_by_role("main")).to_be_focused()


def test_what_no_header_can_carry_is_no_key_and_the_whole_address_is_one(page: Page, stub: Stub) -> None:
    page.goto(stub.url)
    field = page.get_by_label("Or paste the key here")
    for pasted in ("日本語", "\N{GRINNING FACE}", "of another"):
        field.fill(pasted)
        field.press("Enter")
        expect(page.get_by_role("alert").first).to_contain_text("does not open this house")
        expect(field).to_be_visible()
        page.reload()
    field.fill(f" {stub.link} ")
    field.press("Enter")
    expect(page.get_by_role("tab", name="Room")).to_be_visible()


def test_a_house_that_was_started_again_asks_for_its_new_key(
    page: Page, stub: Stub, complaints: list[str]
) -> None:
    page.goto(stub.link)
    expect(page.get_by_role("heading", name="Now")).to_be_visible()
    stub.close()
    expect(page.get_by_text("The house does not answer")).to_be_visible()
    stub.key = "its-new-key"
    stub.open()
    expect(page.get_by_text("The house was started again")).to_be_visible()
    complaints.clear()
    page.goto(stub.link)
    expect(page.get_by_role("heading", name="Now")).to_be_visible()


def test_while_nobody_answers_the_past_is_called_so_and_no_order_can_be_given(
    page: Page, stub: Stub, complaints: list[str]
) -> None:
    page.goto(stub.link)
    page.evaluate("""() => { navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext(), tone = new OscillatorNode(context);
      const microphone = context.createMediaStreamDestination();
      tone.connect(microphone);
      tone.start();
      return microphone.stream;
    }; }""")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_label("Your name").press("Enter")
    page.get_by_role("button", name="Let him hear me").click()
    people = page.get_by_role("list", name="Who is here")
    expect(people).to_contain_text("heard, speaking")
    stub.close()
    expect(page.get_by_text("This is how it stood at")).to_be_visible()
    expect(people).not_to_contain_text("heard")
    for name in ("Say", "Interrupt", "Close the house", "Ask him to leave"):
        order = page.get_by_role("button", name=name, exact=True)
        expect(order).to_be_disabled()
        expect(order).to_have_accessible_description(re.compile("No order can be given until"))
    page.get_by_label("Say this, word for word").fill("Dinner is ready.")
    page.get_by_label("Say this, word for word").press("Enter")
    page.get_by_role("button", name="Close the house").dispatch_event("click")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#answers")).to_be_empty()
    assert "speaking" not in (people.text_content() or "")
    stub.open()
    expect(page.get_by_text("No order can be given until")).to_be_hidden()
    page.get_by_label("Say this, word for word").press("Enter")
    expect(page.locator("#answers")).to_contain_text("It is done")
    complaints.clear()


def test_a_page_that_was_cut_off_comes_back_by_itself(page: Page, stub: Stub, complaints: list[str]) -> None:
    page.goto(stub.link)
    expect(page.get_by_role("status").first).to_contain_text("He is in a conversation")
    stub.close()
    expect(page.get_by_text("The house does not answer")).to_be_visible()
    stub.status |= {"silent": ["nobody has consented to be heard"]}
    expect(page.get_by_text("He is in a conversation")).to_be_hidden()
    missed = {"line_id": "l0", "stay_id": "s", "person_id": "p", "at": 1.0, "heard_as": "mentioned"}
    stub.why = {"lines": [missed | {"decision": "offer", "rule": "possessive", "turn_id": None}], "turns": []}
    stub.open()
    expect(page.get_by_text("The house does not answer")).to_be_hidden()
    expect(page.get_by_role("status").first).to_contain_text("Nobody has consented to be heard.")
    page.get_by_role("tab", name="Why").click()
    expect(page.get_by_role("row").filter(has_text="possessive")).to_be_visible()
    complaints.clear()
