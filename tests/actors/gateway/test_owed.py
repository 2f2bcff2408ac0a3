"""Whoever asked when the house stopped is told once that nothing came of it, as soon as he can be."""

from __future__ import annotations

from dataclasses import replace

from actors.gateway.bereft import AGAIN_SECONDS
from actors.gateway.decisions import Decision, Do, Post, TellCaptain, Typing, Wake
from actors.gateway.owed import MOST_OWED
from actors.gateway.replying import LOST_NOTICE, notice_of
from messages.captain import LossTold
from messages.gateway import (
    DeedDone,
    GatewayAway,
    GatewayBack,
    MessageGone,
    NoticeDue,
    TextAnswered,
    TurnLost,
)
from messages.ids import DeedId, HandoffId, MessageId, RoomId
from messages.tools import SendUpdate
from tests.actors.gateway.scene import DEN, ONLINE, READY, after, start
from tests.actors.gateway.writing import LOBBY, Lane, lane, posts, reply

M1 = MessageId("m1")
LOST = TurnLost(handoff=HandoffId("text-m1"), room=LOBBY, message=M1)
ALOUD = TurnLost(handoff=HandoffId("aloud"), room=DEN, message=None)
NAME, NAME_TOO = DeedId("over-text-m1"), DeedId("over-aloud")
KNOWN, KNOWN_TOO = (TellCaptain(message=LossTold(handoff=one.handoff)) for one in (LOST, ALOUD))
NOTICE = SendUpdate(text=LOST_NOTICE)
TOLD = Do(name=NAME, deed=NOTICE, room=LOBBY, message=M1)
TOLD_TOO = Do(name=NAME_TOO, deed=NOTICE, room=DEN, message=None)


def deeds(decisions: tuple[Decision, ...]) -> list[Do]:
    return [one for one in decisions if isinstance(one, Do)]


def test_what_an_earlier_life_was_asked_is_answered_once_there_is_an_account() -> None:
    gateway = Lane(start())
    assert gateway.see(LOST) == gateway.see(LOST) == gateway.see(ALOUD) == gateway.see(ALOUD) == ()
    assert deeds(gateway.see(READY)) == [TOLD, TOLD_TOO]
    assert gateway.see(LOST) == gateway.see(ALOUD) == ()
    assert (gateway.see(DeedDone(deed=NAME)), gateway.see(DeedDone(deed=NAME_TOO))) == (
        (KNOWN,),
        (KNOWN_TOO,),
    )
    assert deeds(gateway.see(READY)) == []
    assert (gateway.see(LOST), gateway.see(ALOUD)) == ((KNOWN,), (KNOWN_TOO,))


def test_what_discord_was_not_asked_is_told_when_it_is_there_again_and_what_it_refuses_is_not() -> None:
    gateway = Lane(after(*ONLINE)[0])
    assert deeds((*gateway.see(LOST), *gateway.see(ALOUD))) == [TOLD, TOLD_TOO]
    for name in (NAME, NAME_TOO):
        again = Wake(seconds=AGAIN_SECONDS, message=NoticeDue(deed=name))
        assert gateway.see(DeedDone(deed=name, failed="gateway_lost")) == (again,)
    assert gateway.see(NoticeDue(deed=NAME)) == (TOLD,)
    gateway.see(GatewayAway(reason="disconnected"))
    assert gateway.see(NoticeDue(deed=NAME)) == ()
    assert gateway.see(GatewayBack()) == (TOLD, TOLD_TOO)
    assert gateway.see(DeedDone(deed=NAME, failed="forbidden")) == (KNOWN,)
    assert gateway.see(NoticeDue(deed=NAME)) == ()


def test_what_is_being_told_is_not_told_again_with_something_else() -> None:
    gateway = Lane(after(*ONLINE)[0])
    gateway.see(LOST)
    other = replace(LOST, handoff=HandoffId("text-m2"), message=MessageId("m2"))
    assert [one.message for one in deeds(gateway.see(other))] == ["m2"]


def test_it_is_told_at_once_to_an_account_that_is_there_and_after_a_break_to_one_that_is_not() -> None:
    gateway = Lane(after(*ONLINE)[0])
    assert gateway.see(LOST) == (TOLD,)
    assert gateway.see(DeedDone(deed=NAME)) == (KNOWN,)
    gateway.see(GatewayAway(reason="reconnecting"))
    other = replace(LOST, handoff=HandoffId("other"), message=MessageId("m2"))
    assert gateway.see(other) == ()
    told = replace(TOLD, name=DeedId("over-other"), message=MessageId("m2"))
    assert gateway.see(GatewayBack()) == (told,)


def test_a_captain_who_alone_was_restarted_has_his_questions_ended_here() -> None:
    gateway = lane()
    gateway.write("Clankie, hello")
    decisions = gateway.see(LOST)
    assert decisions[0] == Post(room=LOBBY, text=LOST_NOTICE, reply_to=M1)
    assert (reply(decisions).outcome, reply(decisions).reason) == ("failed", "captain_lost")
    assert decisions[-2:] == (Typing(room=LOBBY, on=False), KNOWN)
    assert (gateway.see(LOST), gateway.answer("Hi.")) == ((KNOWN,), ())


def test_what_was_answered_or_given_up_here_is_not_lost() -> None:
    gateway = lane()
    gateway.write("Clankie, hello")
    gateway.answer("Hi.")
    assert gateway.see(LOST) == (KNOWN,)


def test_of_what_was_asked_aloud_a_room_is_told_once_in_a_while() -> None:
    gateway = lane()
    assert gateway.see(ALOUD) == (TOLD_TOO,)
    other = replace(ALOUD, handoff=HandoffId("other"))
    assert gateway.see(other) == (TellCaptain(message=LossTold(handoff=other.handoff)),)
    gateway.now += 300.0
    assert len(deeds(gateway.see(replace(ALOUD, handoff=HandoffId("third"))))) == 1


def test_who_takes_back_what_was_lost_is_not_told_of_it_and_the_captain_need_not_tell_it_again() -> None:
    gateway = Lane(start())
    gateway.see(LOST)
    gateway.see(ALOUD)
    assert gateway.take_back() == (KNOWN,)
    assert deeds(gateway.see(READY)) == [TOLD_TOO]


def test_of_who_takes_back_what_he_is_being_told_of_nothing_is_kept() -> None:
    gateway = Lane(after(*ONLINE)[0])
    gateway.see(LOST)
    assert gateway.take_back() == (KNOWN,)
    assert gateway.state.errands.telling == gateway.state.errands.owed == ()
    assert gateway.see(DeedDone(deed=NAME)) == ()


def test_so_many_are_owed_an_answer_and_the_oldest_are_forgotten() -> None:
    gateway = Lane(start())
    for number in range(MOST_OWED + 1):
        gateway.see(
            TurnLost(handoff=HandoffId(str(number)), room=RoomId("r"), message=MessageId(str(number)))
        )
    told = deeds(gateway.see(READY))
    assert (len(told), told[0].message) == (MOST_OWED, MessageId("1"))


def test_what_only_an_earlier_life_has_read_is_answered_all_the_same_and_once_there_is_an_account() -> None:
    gateway = Lane(start())
    late = TextAnswered(room=LOBBY, message=M1, text="It is Tuesday.")
    failed = TextAnswered(room=LOBBY, message=MessageId("m2"), text="", failed="quota")
    silent = TextAnswered(room=LOBBY, message=MessageId("m3"), text="")
    taken_back = TextAnswered(room=LOBBY, message=MessageId("m4"), text="Too late.")
    for answer in (late, failed, silent, taken_back):
        assert gateway.see(answer) == ()
    gateway.see(MessageGone(room=LOBBY, message=MessageId("m4")))
    assert posts(gateway.see(READY)) == [
        Post(room=LOBBY, text="It is Tuesday.", reply_to=M1),
        Post(room=LOBBY, text=notice_of("quota"), reply_to=MessageId("m2")),
    ]
    assert posts(gateway.see(READY)) == []


def test_of_late_answers_only_so_many_wait() -> None:
    gateway = Lane(start())
    for number in range(MOST_OWED + 1):
        gateway.see(TextAnswered(room=LOBBY, message=MessageId(str(number)), text="Yes."))
    told = posts(gateway.see(READY))
    assert (len(told), told[0].reply_to) == (MOST_OWED, MessageId("1"))
