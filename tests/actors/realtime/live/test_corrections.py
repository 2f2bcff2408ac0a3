"""What nobody heard was never said: the provider's memory is put right, in the right place, once."""

import json

import pytest

from actors.realtime.items import Heard, Observed, Said, Seed
from actors.realtime.live.ledger import REMEMBERED, Ledger
from actors.realtime.live.wording import Entry
from messages.floor import Trigger
from messages.ids import Connection, UtteranceId
from tests.actors.realtime.live.dialogue import (
    HERE,
    R2,
    U1,
    U2,
    Dialogue,
    Letter,
    brief,
    heard,
    kinds,
    line,
    message,
    text_of,
)


def answered(text: str = "One two three") -> tuple[Dialogue, str]:
    """A dialogue with one whole answer as item a1, and the name of what lies before it."""
    talk = Dialogue()
    before = str(talk.sent()[-1]["item"]["id"])
    talk.ask()
    talk.begin()
    talk.come("response.output_item.added", response_id="r1", item={"id": "a1", "type": "message"})
    talk.place("a1", before)
    talk.text(text)
    talk.done(message(text))
    talk.sent()
    talk.told()
    return talk, before


def test_a_cut_answer_is_taken_away_and_what_was_heard_of_it_put_in_its_place() -> None:
    talk, before = answered()
    talk.hear(heard("One two"))
    deleted, put = talk.sent()
    assert (deleted["type"], deleted["item_id"]) == ("conversation.item.delete", "a1")
    assert put["previous_item_id"] == before
    assert (put["item"]["role"], text_of(put)) == ("assistant", "One two (interrupted)")


def test_of_an_answer_that_nobody_heard_nothing_remains() -> None:
    talk, _ = answered()
    talk.hear(heard(" "))
    assert kinds(talk.sent()) == ["item.delete"]
    talk.hear(heard("One"))
    assert talk.is_quiet


def test_a_correction_waits_for_the_end_of_its_answer_and_goes_before_the_next_question() -> None:
    talk = Dialogue()
    talk.ask()
    talk.begin()
    talk.text("One two three")
    talk.cancel()
    talk.hear(heard("One"))
    talk.ask(R2)
    talk.sent()
    talk.done(message("One two three", status="incomplete"), status="cancelled")
    assert kinds(talk.sent()) == ["item.delete", "assistant", "response.create"]


def test_all_parts_of_an_answer_are_taken_away() -> None:
    talk, before = answered()
    talk.ask(R2)
    talk.begin("r2", "t2")
    talk.done(message("One.", "b1"), message("Two.", "b2"), name="r2", turn="t2")
    talk.sent()
    talk.hear(heard("One", U2))
    first, second, put = talk.sent()
    assert [first["item_id"], second["item_id"]] == ["b1", "b2"]
    assert put["previous_item_id"] == "a1"
    talk.hear(heard("On", U1))
    assert talk.sent()[-1]["previous_item_id"] == before


def test_what_lay_behind_a_corrected_answer_lies_behind_the_correction() -> None:
    talk, _ = answered()
    talk.ask(R2)
    talk.begin("r2", "t2")
    talk.place("b1", "a1")
    talk.text("Four", "r2", "b1")
    talk.done(message("Four", "b1"), name="r2", turn="t2")
    talk.sent()
    talk.hear(heard("One"))
    instead = talk.sent()[-1]["item"]["id"]
    talk.hear(heard("Fo", U2))
    assert talk.sent()[-1]["previous_item_id"] == instead
    talk.hear(heard("On"))
    assert talk.sent()[0]["item_id"] == instead


@pytest.mark.parametrize("place", [0, 1])
def test_a_correction_that_is_refused_becomes_one_note_at_the_end(place: int) -> None:
    talk, _ = answered()
    talk.hear(heard("One two"))
    names = [letter["event_id"] for letter in talk.sent()]
    talk.complain("item_not_found", about=names[place])
    (note,) = talk.sent()
    assert note["item"]["role"] == "system"
    assert "previous_item_id" not in note
    assert '{"heard": "One two"}' in text_of(note)
    talk.complain("item_not_found", about=names[1 - place])
    assert talk.is_quiet


def test_words_that_were_remembered_from_another_conversation_are_corrected_too() -> None:
    said = Said(utterance=U1, text="One two three")
    remembered = (Heard(line=line("Count!")), said)
    talk = Dialogue(Seed(persona="p", people=HERE, remembered=remembered, open_requests=()))
    letters = talk.sent()
    talk.hear(heard("One"))
    deleted, put = talk.sent()
    assert deleted["item_id"] == letters[-1]["item"]["id"]
    assert put["previous_item_id"] == letters[-2]["item"]["id"]


def test_words_of_a_conversation_that_is_gone_are_corrected_nowhere() -> None:
    talk = Dialogue()
    talk.sent()
    talk.hear(heard("One", UtteranceId("long-ago")))
    assert talk.is_quiet


def test_words_that_no_response_made_are_his_own_all_the_same() -> None:
    talk = Dialogue()
    talk.sent()
    talk.hear(Said(utterance=U1, text="Dinner", dictated=True))
    (put,) = talk.sent()
    assert put["item"]["role"] == "assistant"
    assert "Dinner" in repr(put)


def test_an_answer_whose_place_is_unknown_lies_behind_what_was_put_before_it() -> None:
    talk = Dialogue()
    talk.sent()
    talk.ask(asked=brief(trigger=Trigger.VOLITION))
    before = talk.sent()[0]["item"]["id"]
    talk.begin()
    talk.text("One two")
    talk.done(message("One two"))
    talk.do(talk.session.add(Observed(text="Somebody came in.")))
    talk.sent()
    talk.hear(heard("One"))
    assert talk.sent()[-1]["previous_item_id"] == before


# --- the ledger alone


def put(ledger: Ledger, text: str) -> Letter:
    (letter,) = ledger.put([Entry("user", text)])
    loaded: Letter = json.loads(letter)
    return loaded


def corrected(ledger: Ledger, said: Said) -> list[Letter]:
    return [json.loads(letter) for letter in ledger.add(said)]


def test_an_answer_that_is_the_first_of_all_is_put_back_as_the_first() -> None:
    ledger = Ledger(Connection(1))
    ledger.placed("a1", None)
    ledger.spoke(U1, "a1")
    assert corrected(ledger, heard("One"))[-1]["previous_item_id"] == "root"


def test_a_provider_that_puts_an_item_behind_itself_gets_no_end_of_it() -> None:
    ledger = Ledger(Connection(1))
    ledger.placed("a1", "a1")
    ledger.spoke(U1, "a1")
    assert corrected(ledger, heard("One"))[-1]["previous_item_id"] == "root"
    ledger.placed("b1", "a1")
    ledger.spoke(U2, "b1")
    assert corrected(ledger, heard("Two", U2))[-1]["previous_item_id"] != "b1"


def test_our_own_items_are_where_we_put_them_whatever_the_provider_says() -> None:
    ledger = Ledger(Connection(1))
    mine = put(ledger, "x")["item"]["id"]
    ledger.placed(mine, "elsewhere")
    ledger.spoke(U1, "a1")
    assert corrected(ledger, heard("One"))[-1]["previous_item_id"] == mine


def test_what_the_provider_says_of_our_own_items_costs_no_memory_of_its_own() -> None:
    ledger = Ledger(Connection(1))
    ledger.placed("a1", None)
    for number in range(REMEMBERED + 1):
        ledger.placed(put(ledger, str(number))["item"]["id"], "a1")
    ledger.spoke(U1, "a1")
    assert corrected(ledger, heard("One"))[-1]["previous_item_id"] == "root"


def test_only_so_many_answers_are_remembered() -> None:
    ledger = Ledger(Connection(1))
    for number in range(REMEMBERED + 1):
        ledger.spoke(UtteranceId(f"u{number}"), f"a{number}")
    assert corrected(ledger, heard("x", UtteranceId("u0"))) == []
    assert corrected(ledger, heard("x", UtteranceId("u1"))) != []


def test_nothing_is_taken_away_where_nothing_was_said() -> None:
    assert Ledger(Connection(1)).take_away(()) == []


def test_every_name_is_short_enough_for_the_provider() -> None:
    ledger = Ledger(Connection(9_999))
    names = {ledger.name("session") for _ in range(1_000)}
    assert len(names) == 1_000
    assert max(map(len, names)) <= 32
