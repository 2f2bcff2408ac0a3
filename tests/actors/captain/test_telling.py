"""A mind reads names and reasons on one line of JSON; ids and line ends stay outside."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.captain import telling
from actors.captain.journal import MOST_NOTES_EACH, Note
from actors.captain.remedies import NOT_CONFIRMED, NOT_DONE
from actors.captain.telling import LONGEST_TOLD, Told
from messages import evidence, gateway
from messages.attachment import Attachment
from messages.captain import Confirmed, MachineDone, ToolAnswer
from messages.evidence import Consent, Failed, Floor, ReceiptsKnown, StayReceipt
from messages.gateway import (
    DeedAnswered,
    Joined,
    JoinRefused,
    LeaveAnswered,
    RefusedJoin,
    RefusedLeave,
    RoomDescribed,
    WatchAnswered,
)
from messages.ids import CallId, HandoffId, PersonId, RoomId, StayId
from messages.people import Person, Presence
from messages.tools import LONGEST_NOTE, Mistaken

ID = "9081726354"


def read(told: Told) -> dict[str, Any]:
    assert len(told.text) <= LONGEST_TOLD
    assert told.text.isprintable()
    content: dict[str, Any] = json.loads(told.text)
    return content


def answer(one: ToolAnswer) -> Told:
    return telling.told(one, transcripts_kept=True)


def machine(text: str, failed: str = "", *files: str) -> Told:
    attachments = tuple(Attachment(name=name, kind="image/png", data=b"") for name in files)
    return telling.machine(
        MachineDone(handoff=HandoffId(ID), call=CallId(ID), text=text, attachments=attachments, failed=failed)
    )


def person(label: str, *, consented: bool = False, bot: bool = False) -> Presence:
    return Presence(person=Person(id=PersonId(ID), label=label, bot=bot), consented=consented)


def test_coming_says_where_and_whether_whoever_asked_is_heard_and_written_down() -> None:
    told = answer(Joined(room=RoomId(ID), stay=StayId(ID), opted_in=True, name="Den"))
    assert (told.outcome, told.done) == ("joined", True)
    assert read(told) == {"outcome": "joined", "channel": "Den", "opted_in": True, "transcripts_kept": True}


@pytest.mark.parametrize("reason", RefusedJoin)
def test_every_reason_not_to_come_is_told_in_words(reason: RefusedJoin) -> None:
    told = answer(JoinRefused(reason=reason, detail="udp_unreachable"))
    assert (told.outcome, told.done) == (reason, False)
    found = read(told)
    assert found.pop("why")
    assert found == {"outcome": "join_refused", "reason": reason, "detail": "udp_unreachable"}


def test_what_is_in_the_way_of_coming_is_the_reason_where_it_is_known() -> None:
    found = read(answer(JoinRefused(reason=RefusedJoin.FAILED, detail="channel_full")))
    assert (found["reason"], found["why"]) == ("channel_full", "that voice channel is full")


@pytest.mark.parametrize("reason", RefusedLeave)
def test_every_reason_not_to_go_is_told_in_words(reason: RefusedLeave) -> None:
    told = answer(LeaveAnswered(room=None, refused=reason))
    assert (told.outcome, told.done) == (reason, False)
    found = read(told)
    assert found.pop("why")
    assert found == {"outcome": "leave_refused", "reason": reason}
    assert "here" in answer(LeaveAnswered(room=None, refused=RefusedLeave.NOT_IN_VOICE)).text


def test_going_says_from_where() -> None:
    told = answer(LeaveAnswered(room=RoomId(ID), name="Den"))
    assert (told.outcome, read(told)) == ("left", {"outcome": "left", "channel": "Den"})


def test_deeds_and_the_play_surface_are_done_or_not() -> None:
    assert read(answer(DeedAnswered())) == {"outcome": "done"}
    opened = answer(WatchAnswered(url="https://discord.example/invite"))
    assert read(opened) == {"outcome": "watching", "url": "https://discord.example/invite"}
    assert read(answer(WatchAnswered())) == {"outcome": "done"}
    codes = (gateway.DeedAnswered.__doc__ or "").split("\n\n")[1].replace("|", " ").removesuffix("\n").split()
    assert len(codes) >= 12
    for code in [word.strip(".") for word in codes]:
        told = answer(DeedAnswered(refused=code))
        assert (told.outcome, told.done) == (code, False)
        assert read(told)["why"]
    assert read(answer(WatchAnswered(refused="not_open")))["why"] == "the play surface is not open"


def test_every_code_that_the_account_can_answer_is_told_in_words() -> None:
    deeds = "authority no_trigger no_thread account_not_ready forbidden gone unknown_emoji refused"
    surface = "not_active not_in_voice not_open no_activity no_such_room unknown_activity ended closed"
    buttons = "denied unsupported forbidden refused busy account_not_ready gateway_lost"
    done = set(deeds.split()) | set(surface.split()) | {"timeout", "busy", "unsupported", "gateway_lost"}
    assert (done - set(NOT_DONE), set(buttons.split()) - set(NOT_CONFIRMED)) == (set(), set())


def test_a_reason_that_nobody_knows_is_told_as_it_is() -> None:
    assert read(telling.refused("moon_phase")) == {"outcome": "refused", "reason": "moon_phase"}


def test_what_nobody_answered_has_failed_and_what_nobody_confirmed_is_refused() -> None:
    late = telling.refused("timeout")
    assert (late.outcome, read(late)["outcome"]) == ("timeout", "failed")
    nobody = answer(Confirmed(refused="timeout"))
    assert (nobody.outcome, read(nobody)["outcome"]) == ("confirmed_by_nobody", "refused")
    assert answer(Confirmed(refused="denied")).outcome == "denied"
    assert answer(Confirmed()) == Told(outcome="confirmed", text='{"outcome":"confirmed"}', done=True)


def test_a_room_is_told_by_names_with_who_is_heard_and_what_happened_and_no_id() -> None:
    described = RoomDescribed(
        room="Den",
        stay=StayId(ID),
        stay_room="Den",
        phase="active",
        people=(person("Ada", consented=True), person("Ben"), person("Dj", bot=True)),
        humans=2,
    )
    receipts = (
        Consent(stay_id=StayId(ID), person_id=PersonId(ID), phase="granted", decoded=3),
        Floor(stay_id=StayId(ID), state="engaged", holder_id=PersonId(ID), rule="wake"),
    )
    told = telling.room(described, ReceiptsKnown(receipts=receipts, floor="engaged"))
    assert ID not in told.text
    assert read(told) == {
        "outcome": "room",
        "channel": "Den",
        "your_channel": "Den",
        "phase": "active",
        "humans": 2,
        "bots": 1,
        "people": [
            {"name": "Ada", "heard": True},
            {"name": "Ben", "heard": False},
            {"name": "Dj", "bot": True},
        ],
        "floor": "engaged",
        "lately": [
            {"kind": "consent", "phase": "granted", "decoded": 3},
            {"kind": "floor", "state": "engaged", "rule": "wake"},
        ],
    }
    assert read(answer(described))["lately"] == []
    assert read(answer(ReceiptsKnown(receipts=receipts, floor="engaged")))["floor"] == "engaged"


@pytest.mark.parametrize("receipt", get_args(StayReceipt))
def test_no_receipt_has_an_id_under_a_name_that_says_nothing_of_it(receipt: type[StayReceipt]) -> None:
    hidden = [field.name for field in fields(receipt) if not field.name.endswith("_id")]
    assert not [name for name in hidden if "Id" in str(receipt.__annotations__[name])]
    assert receipt.__module__ == evidence.__name__


def test_the_fullest_room_and_the_fullest_notes_still_fit() -> None:
    labels = tuple(person('"' * 500, consented=True) for _ in range(40))
    described = RoomDescribed(
        room="\\" * 500, stay=None, stay_room="\\" * 500, phase="x" * 500, people=labels, humans=40
    )
    failed = Failed(stay_id=StayId(ID), stage='"' * 500, reason='"' * 500)
    assert (
        len(read(telling.room(described, ReceiptsKnown(receipts=(failed,) * 40, floor="")))["people"]) == 25
    )
    note = Note(at=1.0, person=PersonId(ID), guild=None, room=None, text='"' * LONGEST_NOTE)
    many = read(telling.notes((note,) * (2 * MOST_NOTES_EACH)))["notes"]
    assert 10 < len(many) < 2 * MOST_NOTES_EACH


def test_notes_say_what_they_are_about_and_the_newest_are_told_if_it_is_too_much() -> None:
    def note(text: str, room: RoomId | None = None) -> Note:
        return Note(at=1.0, person=PersonId(ID), guild=None, room=room, text=text)

    told = telling.notes((note("likes tea"), note("quiz on Friday", RoomId(ID))))
    assert read(told)["notes"] == [
        {"about": "speaker", "note": "likes tea"},
        {"about": "room", "note": "quiz on Friday"},
    ]
    assert (read(telling.notes(())), read(telling.kept())) == (
        {"outcome": "notes", "notes": []},
        {"outcome": "done"},
    )
    long = [f"{number}{'x' * 290}" for number in range(40)]
    found = [row["note"] for row in read(telling.notes(tuple(map(note, long))))["notes"]]
    assert found == long[-len(found) :]


def test_a_machine_is_told_with_the_names_of_its_files_and_cut() -> None:
    told = machine("42", "", "plot.png", "b\n.txt")
    assert (told.outcome, told.done) == ("done", True)
    assert read(told) == {"outcome": "machine", "text": "42", "files": ["plot.png", "b .txt"], "cut": False}
    long = read(machine("x" * 9_000))
    assert (len(long["text"]), long["cut"]) == (8_000, True)
    escaped = read(machine("\0" * 8_000))
    assert set(escaped["text"]) == {"\0"}
    assert escaped["cut"]


def test_a_machine_that_failed_says_why() -> None:
    told = machine("no such song", "tool_error")
    assert (told.outcome, told.done) == ("tool_error", False)
    found = read(told)
    assert (found["outcome"], found["text"]) == ("failed", "no such song")
    assert found["why"]


def test_a_call_of_which_nothing_can_be_made_says_what_to_do_better() -> None:
    told = telling.mistaken(Mistaken(tool="voice_join", problem="voice_join takes no arguments"))
    assert (told.outcome, told.done) == ("mistaken", False)
    assert read(told) == {"outcome": "error", "why": "voice_join takes no arguments"}


@given(st.text(), st.text())
def test_whatever_people_and_machines_write_is_one_line_of_json(text: str, name: str) -> None:
    told = machine(text + "\ud800\u2028\u202e\x7f", "", name)
    found = read(told)
    assert found["text"] == text + "\u2028\u202e\x7f"
    assert read(answer(Joined(room=RoomId(ID), stay=StayId(ID), name=name)))["channel"].isprintable()
