"""What the captain wants done in a channel is judged where it is done, and answered once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.gateway.core import stopped
from actors.gateway.decisions import AnswerDeed, Decision, Do, Wake
from actors.gateway.deeds import MOST_DEEDS
from actors.gateway.settings import TextSettings
from messages.authority import Surface
from messages.gateway import (
    Asker,
    DeedAnswered,
    DeedAsked,
    DeedDone,
    DeedOverdue,
    GatewayAway,
    GatewayBack,
    GatewayGone,
    MessageGone,
)
from messages.ids import DeedId, GuildId, MessageId, RoomId
from messages.people import Person
from messages.tools import CreateThread, Deed, JoinThread, React, SendUpdate, Unreact
from tests.actors.gateway.scene import ANNA, BERT, CLEO, CLUB, DEN, NOW, asker
from tests.actors.gateway.writing import LOBBY, PRIVATE, Lane, lane
from tests.probe import Probe

CAPTAIN = Probe[DeedAnswered]()
M1 = MessageId("m1")
FIRST = DeedId("deed-1")
ALOUD = (Surface.VOICE, Surface.MIXED_VOICE)
DEEDS = (
    React(emoji="👍"),
    Unreact(emoji="👍"),
    CreateThread(name="cake"),
    JoinThread(),
    SendUpdate(text="Hm."),
)
AWAY = GatewayAway(reason="reconnecting")


def asked(
    deed: Deed = DEEDS[0],
    *askers: Asker,
    room: RoomId = LOBBY,
    message: MessageId | None = M1,
    surface: Surface = Surface.TEXT,
) -> DeedAsked:
    who = askers or (asker(BERT),)
    return DeedAsked(deed=deed, room=room, message=message, askers=who, surface=surface, reply_to=CAPTAIN)


def aloud(deed: Deed = DEEDS[-1], room: RoomId = DEN, surface: Surface = Surface.VOICE) -> DeedAsked:
    return asked(deed, asker(ANNA), room=room, message=None, surface=surface)


def answer(refused: str = "") -> AnswerDeed:
    return AnswerDeed(asker=CAPTAIN, answer=DeedAnswered(refused=refused))


def refusal(decisions: tuple[Decision, ...]) -> str:
    """The code of the one refusal; empty if it was passed on to the account."""
    if len(decisions) == 2:
        assert isinstance(decisions[0], Do)
        return ""
    (found,) = decisions
    assert isinstance(found, AnswerDeed)
    return found.answer.refused


def written(settings: TextSettings | None = None, person: Person = BERT) -> Lane:
    """Somebody has written to him and waits."""
    gateway = lane(settings)
    gateway.write("Clankie, hello", person=person)
    return gateway


@pytest.mark.parametrize("deed", DEEDS)
def test_a_deed_is_done_to_the_message_that_asked_and_its_end_is_told_once(deed: Deed) -> None:
    gateway = written()
    overdue = DeedOverdue(deed=FIRST)
    assert gateway.see(asked(deed)) == (
        Do(name=FIRST, deed=deed, room=LOBBY, message=M1),
        Wake(seconds=15.0, message=overdue),
    )
    assert gateway.see(DeedDone(deed=FIRST)) == (answer(),)
    assert gateway.see(DeedDone(deed=FIRST, failed="refused")) == ()
    assert gateway.see(overdue) == ()


def test_what_fails_or_takes_too_long_is_told_and_a_late_end_is_not() -> None:
    gateway = written()
    for _ in range(2):
        gateway.see(asked())
    assert gateway.see(DeedDone(deed=FIRST, failed="unknown_emoji")) == (answer("unknown_emoji"),)
    second = DeedId("deed-2")
    assert gateway.see(DeedOverdue(deed=second)) == (answer("timeout"),)
    assert gateway.see(DeedDone(deed=second)) == ()
    assert gateway.state.errands.deeds == ()


@pytest.mark.parametrize("surface", [Surface.MEMBERSHIP, Surface.OPERATOR])
def test_who_is_nobody_in_the_room_has_nothing_done_there(surface: Surface) -> None:
    assert refusal(written().see(asked(surface=surface))) == "authority"
    nobody = replace(asked(), askers=())
    assert refusal(written().see(nobody)) == "authority"


def test_whoever_belongs_to_one_person_does_nothing_for_another() -> None:
    gateway = written()
    gateway.state = replace(gateway.state, authority=replace(gateway.state.authority, owner_only=True))
    assert refusal(gateway.see(asked())) == "authority"
    assert refusal(gateway.see(asked(DEEDS[0], asker(ANNA), asker(BERT)))) == "authority"
    assert refusal(gateway.see(asked(DEEDS[0], asker(ANNA)))) == ""


def test_nothing_is_done_while_the_account_is_away() -> None:
    gateway = written()
    gateway.see(AWAY)
    assert refusal(gateway.see(asked())) == "account_not_ready"
    gateway.see(GatewayBack())
    assert refusal(gateway.see(asked())) == ""


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("surface", ALOUD)
def test_what_is_asked_aloud_is_about_no_message_and_may_only_be_written_to_his_own_room(
    deed: Deed, surface: Surface
) -> None:
    gateway = lane(in_voice=True)
    here, elsewhere = (gateway.see(aloud(deed, room, surface)) for room in (DEN, LOBBY))
    only_words = isinstance(deed, SendUpdate)
    assert (refusal(here), refusal(elsewhere)) == (
        ("", "forbidden") if only_words else ("no_trigger", "no_trigger")
    )
    assert refusal(lane().see(aloud(deed, DEN, surface))) == ("forbidden" if only_words else "no_trigger")


def test_no_update_goes_into_a_channel_that_nobody_asked_in() -> None:
    assert refusal(written().see(asked(DEEDS[-1], message=None))) == "forbidden"
    in_writing = asked(DEEDS[-1], room=DEN, message=None)
    assert refusal(lane(in_voice=True).see(in_writing)) == "forbidden"


LISTED = TextSettings(channels=(31,))


@pytest.mark.parametrize(
    ("settings", "event", "code"),
    [
        (TextSettings(), asked(), ""),
        (TextSettings(enabled=False), asked(), "forbidden"),
        (TextSettings(), asked(DEEDS[0], asker(BERT, GuildId("3"))), "forbidden"),
        (TextSettings(), asked(DEEDS[0], asker(BERT), asker(BERT, CLUB)), "forbidden"),
        (LISTED, asked(), ""),
        (LISTED, asked(room=RoomId("32")), "forbidden"),
        (TextSettings(), asked(DEEDS[0], asker(ANNA, GuildId("")), room=PRIVATE), ""),
        (TextSettings(), asked(DEEDS[0], asker(CLEO, GuildId("")), room=PRIVATE), "forbidden"),
        (TextSettings(dms="deny"), asked(DEEDS[0], asker(ANNA, GuildId("")), room=PRIVATE), "forbidden"),
    ],
)
def test_what_an_earlier_life_was_asked_is_done_only_where_it_would_be_read(
    settings: TextSettings, event: DeedAsked, code: str
) -> None:
    assert refusal(lane(settings).see(event)) == code


def test_what_was_admitted_in_a_thread_of_a_listed_channel_may_be_acted_on_there() -> None:
    thread = RoomId("77")
    gateway = lane(LISTED)
    seen = asked(room=thread)
    assert refusal(gateway.see(seen)) == "forbidden"
    gateway.write("Clankie, hello", room=thread, parent=RoomId("31"))
    assert refusal(gateway.see(seen)) == ""
    assert refusal(gateway.see(replace(seen, room=RoomId("78")))) == "forbidden"


@pytest.mark.parametrize("over", ["answered", "taken back"])
def test_nothing_more_is_done_about_a_message_that_is_over(over: str) -> None:
    gateway = written()
    if over == "answered":
        gateway.answer("Hi.")
    else:
        gateway.see(MessageGone(room=LOBBY, message=M1))
    assert refusal(gateway.see(asked())) == "gone"


def test_an_update_is_short_and_never_empty() -> None:
    gateway = written()
    (order, _) = gateway.see(asked(SendUpdate(text="x" * 700)))
    assert isinstance(order, Do)
    assert order.deed == SendUpdate(text="x" * 599 + "…")
    assert refusal(gateway.see(asked(SendUpdate(text=" \n ")))) == "refused"


def test_an_update_is_no_answer_and_begins_no_conversation() -> None:
    gateway = written()
    gateway.see(asked(DEEDS[-1]))
    gateway.see(DeedDone(deed=FIRST))
    assert (len(gateway.state.text.waiting), dict(gateway.state.text.engaged)) == (1, {})


def test_so_many_deeds_may_be_under_way() -> None:
    gateway = written()
    assert {refusal(gateway.see(asked())) for _ in range(MOST_DEEDS)} == {""}
    assert refusal(gateway.see(asked())) == "busy"
    assert gateway.state.describe()["deeds"] == MOST_DEEDS
    gateway.see(DeedDone(deed=FIRST))
    assert refusal(gateway.see(asked())) == ""


@pytest.mark.parametrize("gone", [True, False])
def test_whoever_waits_for_a_deed_when_the_account_or_this_life_ends_is_told(gone: bool) -> None:
    gateway = written()
    gateway.see(asked())
    if gone:
        decisions = gateway.see(GatewayGone(reason="bad_token", remedy="Enter another token."))
        assert gateway.see(DeedDone(deed=FIRST)) == ()
    else:
        decisions = stopped(gateway.state, NOW, "crashed")
    assert answer("gateway_lost") in decisions
