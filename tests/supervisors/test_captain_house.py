"""Killed at any moment of the captain's work he does nothing twice, and says once what became of it."""

from __future__ import annotations

from pathlib import Path

from actors.captain.journal import HeardAsked, SaidAnswer, ToolBegun, ToolEnded, TurnOver
from actors.gateway.live.phrases import PRESSED, YES
from actors.gateway.owed import LOST_NOTICE
from messages.gateway import ButtonOutcome
from tests.loopback.openai.responses_asked import CaptainReply
from tests.supervisors.own_house import PATIENCE, OwnHouse, own_house

KILLED_ONCE_BEGUN = """
import os, signal
from actors.captain.journal import ToolBegun
from actors.captain.local_ledger import LocalLedger

append = LocalLedger.append

def last(ledger, lane, entry):
    written = append(ledger, lane, entry)
    if isinstance(entry, ToolBegun):
        os.kill(os.getpid(), signal.SIGKILL)
    return written

LocalLedger.append = last
"""
"""It is killed when it has written down what it will do, and before it does that."""


def told_once(house: OwnHouse, message: int | None) -> None:
    """The next life answers the message with a notice, and the one after that says nothing of it."""
    steps = len(house.asked)
    with house.run():
        assert house.posts(1) == [LOST_NOTICE]
        assert house.discord.posts[0].reply_to == message
    assert [one.how for one in house.entries() if isinstance(one, TurnOver)] == ["interrupted"]
    assert len(house.asked) == steps
    house.thinks = lambda _: CaptainReply(text="It is Tuesday.")
    with house.run():
        house.write("what day is it?")
        assert house.posts(2) == [LOST_NOTICE, "It is Tuesday."]


def test_killed_while_a_tool_is_at_work_he_says_so_once_and_does_nothing_again(tmp_path: Path) -> None:
    with own_house(tmp_path) as house:
        house.using("slow")
        with house.run() as running:
            message = house.write("do the slow thing")
            house.record.wait_for("began")
            running.kill()
        begun = [type(one) for one in house.entries()]
        assert begun == [HeardAsked, ToolBegun]
        told_once(house, message)
        assert house.record.deeds().count("began") == 1
        assert len(house.asked) == 2


def test_killed_between_writing_down_and_doing_he_does_not_do_it_later(tmp_path: Path) -> None:
    with own_house(tmp_path) as house:
        house.using("delete_everything")
        with house.run(first=KILLED_ONCE_BEGUN) as running:
            message = house.write("delete everything")
            running.process.wait(PATIENCE)
        told_once(house, message)
        assert house.record.deeds() == []
        kinds = [type(one) for one in house.entries()]
        assert kinds == [HeardAsked, ToolBegun, TurnOver, HeardAsked, SaidAnswer, TurnOver]


def test_killed_while_a_button_waits_it_is_over_for_whoever_presses_later(tmp_path: Path) -> None:
    with own_house(tmp_path) as house:
        house.using("delete_everything")
        with house.run() as running:
            house.anna.join(house.room)
            assert house.anna.command("clankie join", house.room).text
            house.anna.write(house.room, "Clankie, look up how to delete everything.")
            asked = house.discord.wait(
                lambda: next((post for post in house.discord.posts if post.buttons), None), PATIENCE
            )
            running.kill()
        assert asked is not None
        with house.run():
            house.discord.wait(lambda: LOST_NOTICE in house.posts(0), PATIENCE, "a notice")
            assert house.anna.press(asked.id, YES).text == PRESSED[ButtonOutcome.OVER]
        with house.run():
            house.write("what day is it?")
            house.posts(len(house.discord.posts) + 1)
        assert [post.content for post in house.discord.posts].count(LOST_NOTICE) == 1
        assert house.record.deeds() == []
        assert not [one for one in house.entries() if isinstance(one, ToolBegun | ToolEnded)]
