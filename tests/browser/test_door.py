"""Only who has the key comes in, and the key is seen by nobody."""

from __future__ import annotations

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
