"""Killed at any moment of the captain's work he does nothing twice, and says once what became of it."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from loguru import logger

from actors.captain.journal import HeardAsked, ToolBegun, ToolEnded, TurnOver
from actors.console.live.server import LiveConsole
from actors.gateway.bereft import CONSENTS_NOTICE
from actors.gateway.live.phrases import PRESSED, YES
from actors.gateway.replying import LOST_NOTICE
from actors.local_room import LocalRoom, Posted
from actors.meter.live import Board
from actors.net.loop import IoLoop
from messages.gateway import ButtonOutcome
from messages.ids import PersonId, RoomId
from messages.people import Person
from supervisors.commands.status import show
from supervisors.local import LOOP_STOP_SECONDS, room_house
from supervisors.paths import kept_in
from supervisors.secrets import NO_KEYS
from supervisors.settings import load
from supervisors.speech import LocalSpeech
from tests.loopback.openai.responses_asked import CaptainAsked, CaptainReply
from tests.probe import Probe
from tests.supervisors.own_house import PATIENCE, SERVER, own_house, server_of_tools
from tests.supervisors.test_cli import free_port

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
ANNA = Person(id=PersonId("anna"), label="Anna")


def thinks(asked: CaptainAsked) -> CaptainReply:
    """Do what is named, and say what came of it."""
    wanted = asked.requests[-1].text("request")
    if asked.outputs:
        return CaptainReply(text=f"It came to this: {asked.outputs[-1].told.text('outcome')}.")
    for tool in ("slow", "delete_everything"):
        if tool.partition("_")[0] in wanted:
            return CaptainReply(calls=((f"{SERVER}__{tool}", "{}"),))
    return CaptainReply(text="It is Tuesday.")


def test_killed_at_work_he_says_once_what_became_of_it_and_does_nothing_again(tmp_path: Path) -> None:
    with own_house(tmp_path, thinks) as house:
        with house.run() as running:
            house.anna.join(house.room)
            assert house.anna.command("clankie join", house.room).text
            house.anna.write(house.room, "Clankie, look up how to delete everything.")
            (question,) = house.questions(1)
            slow = house.write("do the slow thing")
            house.record.wait_for("began")
            running.kill()
        assert [type(one) for one in house.entries("text")] == [HeardAsked, ToolBegun]
        with house.run(first=KILLED_ONCE_BEGUN) as running:
            assert house.posts(house.lobby, 1) == [(LOST_NOTICE, slow)]
            house.discord.wait(lambda: (LOST_NOTICE, None) in house.posts(house.room), what="a notice")
            pressed = house.anna.press(question.id, YES)
            assert pressed.text == PRESSED[ButtonOutcome.OVER]
            delete = house.write("delete everything")
            running.process.wait(PATIENCE)
        with house.run():
            assert house.posts(house.lobby, 2)[1:] == [(LOST_NOTICE, delete)]
            day = house.write("what day is it?")
            assert house.posts(house.lobby, 3)[2:] == [("It is Tuesday.", day)]
        for notice in (LOST_NOTICE, CONSENTS_NOTICE):
            assert house.posts(house.room).count((notice, None)) == 1
        assert set(house.record.deeds()) <= {"began", "cancelled"}
        assert house.record.deeds().count("began") == 1
        assert len(house.asked) == 4
        over = [one.how for one in house.entries() if isinstance(one, TurnOver)]
        assert sorted(over) == ["answered", *["interrupted"] * 3]
        assert not [one for one in house.entries() if isinstance(one, ToolEnded)]


@contextmanager
def logged() -> Generator[Probe[str]]:
    """What is written into the log from now on."""
    lines: Probe[str] = Probe()
    sink = logger.add(lambda line: lines.tell(str(line)), format="{message}", level="INFO")
    yield lines
    logger.remove(sink)


async def a_turn_of_the_loop() -> None:
    """Nothing."""


def test_a_server_that_is_missing_or_dies_is_named_by_the_status_and_keeps_nobody_from_opening(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    servers = {
        "missing": {"command": "no-such-program-of-tools"},
        "dying": {"command": sys.executable, "args": ["-c", "pass"]},
        SERVER: server_of_tools(tmp_path / "deeds"),
    }
    tables = kept_in(tmp_path)
    captain = {**tables["captain"], "mcp": servers, "delay_seconds": 0}
    settings = load(None, {**tables, "captain": captain, "console": {**tables["console"], "port": port}})
    room, loop, speech, posted = LocalRoom(RoomId("den")), IoLoop(), LocalSpeech(settings), Probe[Posted]()
    room.tap_posts(posted.tell)

    def close() -> None:
        loop.stop(LOOP_STOP_SECONDS)
        speech.close()

    def console() -> LiveConsole:
        return LiveConsole(loop, settings.console)

    with (
        logged() as lines,
        room_house(settings, NO_KEYS, room, speech, loop, Board(), console=console, close=close),
    ):
        awaited = {"missing cannot be used", "dying cannot be used", f"{SERVER} offers"}
        while awaited:
            line = lines.expect(str, PATIENCE)
            awaited = {one for one in awaited if one not in line}
        loop.submit(a_turn_of_the_loop()).result(PATIENCE)  # what was logged has been told by then
        room.write(ANNA, "what day is it?")
        assert posted.expect(Posted, PATIENCE).text.startswith("Today is ")
        config = tmp_path / "config.toml"
        config.write_text(f'[console]\ndirectory = "{settings.console.directory}"\n')
        assert show(config, port, as_json=False) == 0
        shown = " ".join(capsys.readouterr().out.replace("│", "").split())
        assert "servers_in_trouble" not in shown
        assert "the tools of dying cannot be used: it has ended, or was never there for long; run" in shown
        assert "the tools of missing cannot be used: its command is no program here; name a program" in shown
        assert 'nobody uses the tools of servers: [captain] provider is "local"' in shown
        assert "machine_tools 12" in shown
