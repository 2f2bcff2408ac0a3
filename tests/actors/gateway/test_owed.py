"""Whoever asked when the house stopped is told once that nothing came of it, as soon as he can be."""

from __future__ import annotations

from dataclasses import replace

from actors.gateway.decisions import Post, Typing
from actors.gateway.owed import LOST_NOTICE, MOST_OWED
from messages.gateway import GatewayAway, GatewayBack, TurnLost
from messages.ids import MessageId, RoomId
from tests.actors.gateway.scene import DEN, ONLINE, READY, after, start
from tests.actors.gateway.writing import LOBBY, Lane, lane, posts, reply

M1 = MessageId("m1")
LOST = TurnLost(room=LOBBY, message=M1)
ALOUD = TurnLost(room=DEN, message=None)
TOLD = Post(room=LOBBY, text=LOST_NOTICE, reply_to=M1)


def test_what_an_earlier_life_was_asked_is_answered_once_there_is_an_account() -> None:
    gateway = Lane(start())
    assert gateway.see(LOST) == gateway.see(LOST) == gateway.see(ALOUD) == gateway.see(ALOUD) == ()
    assert posts(gateway.see(READY)) == [TOLD, Post(room=DEN, text=LOST_NOTICE)]
    assert posts(gateway.see(READY)) == []
    assert gateway.see(LOST) == ()


def test_it_is_told_at_once_to_an_account_that_is_there_and_after_a_break_to_one_that_is_not() -> None:
    gateway = Lane(after(*ONLINE)[0])
    assert gateway.see(LOST) == (TOLD,)
    gateway.see(GatewayAway(reason="reconnecting"))
    other = replace(LOST, message=MessageId("m2"))
    assert gateway.see(other) == ()
    assert gateway.see(GatewayBack()) == (replace(TOLD, reply_to=MessageId("m2")),)


def test_a_captain_who_alone_was_restarted_has_his_questions_ended_here() -> None:
    gateway = lane()
    gateway.write("Clankie, hello")
    decisions = gateway.see(LOST)
    assert decisions[0] == TOLD
    assert (reply(decisions).outcome, reply(decisions).reason) == ("failed", "captain_lost")
    assert decisions[-1] == Typing(room=LOBBY, on=False)
    assert gateway.see(LOST) == gateway.answer("Hi.") == ()


def test_what_was_answered_or_given_up_here_is_not_lost() -> None:
    gateway = lane()
    gateway.write("Clankie, hello")
    gateway.answer("Hi.")
    assert gateway.see(LOST) == ()


def test_of_what_was_asked_aloud_a_room_is_told_once_in_a_while() -> None:
    gateway = lane()
    assert posts(gateway.see(ALOUD)) == [Post(room=DEN, text=LOST_NOTICE)]
    assert gateway.see(ALOUD) == ()
    gateway.now += 300.0
    assert len(posts(gateway.see(ALOUD))) == 1


def test_so_many_are_owed_an_answer_and_the_oldest_are_forgotten() -> None:
    gateway = Lane(start())
    for number in range(MOST_OWED + 1):
        gateway.see(TurnLost(room=RoomId("r"), message=MessageId(str(number))))
    told = posts(gateway.see(READY))
    assert (len(told), told[0].reply_to) == (MOST_OWED, MessageId("1"))
