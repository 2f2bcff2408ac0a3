"""Where scenarios are rehearsed in this process: one set of models, a new room and a new house for each."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from actors.captain.rules import Call
from actors.captain.script import CaptainScript, ScriptedTurn
from actors.console.local import ClosedConsole
from actors.local_room import LocalRoom
from actors.meter.live import Board
from actors.net.loop import IoLoop
from actors.realtime.matching import contains_words
from actors.realtime.script import Script, ScriptedReply
from messages.ids import RoomId
from messages.people import Person
from supervisors.house import House
from supervisors.local import LOOP_STOP_SECONDS, room_house
from supervisors.paths import kept_in
from supervisors.rehearsal.chosen import HERE, settled
from supervisors.rehearsal.minds import CaptainReplyEntry, ReplyEntry, Scripted
from supervisors.rehearsal.scenario import RoomEntry
from supervisors.rehearsal.stage import Annex, Lender, Overrides, merged, nobody_lends
from supervisors.settings import BadConfig, Settings, load
from supervisors.speech import LocalSpeech

REHEARSAL = RoomId("rehearsal")


class LocalTheatre:
    """Fulfils the rehearsal's Theatre with rooms in this process; `lender` lends the providers, if any."""

    def __init__(self, lender: Lender = nobody_lends) -> None:
        self.speech = LocalSpeech(load(None))
        self._lender = lender

    @property
    def over_discord(self) -> bool:
        """Everything happens in this process."""
        return False

    def room(self) -> LocalRoom:
        """A room in this process."""
        return LocalRoom(REHEARSAL)

    def annexes(self, room: LocalRoom, entries: tuple[RoomEntry, ...]) -> Mapping[str, Annex]:
        """There is only one room in this process."""
        return {}

    def number(self, room: LocalRoom, person: Person) -> int:
        """His id, which is one."""
        return int(person.id)

    @contextmanager
    def open(
        self, *, settings: Overrides, room: LocalRoom, replies: tuple[Scripted, ...], state: Path
    ) -> Generator[House]:
        """Run a house for `room` that answers with `replies`; a wrong setting is a ValueError in words."""
        with self._lender(self.speech, replies, settings) as lent:
            chosen = _checked(merged(HERE, settings, lent.settings, kept_in(state)))
            loop = IoLoop()
            house = room_house(
                chosen,
                lent.keys,
                room,
                self.speech,
                loop,
                Board(),
                console=ClosedConsole,
                close=lambda: loop.stop(LOOP_STOP_SECONDS),
                script=Script(scripted(replies)),
                captain_script=captained(replies),
            )
            with house:
                yield house

    def close(self) -> None:
        """Let go of the models' thread."""
        self.speech.close()


def scripted(replies: tuple[Scripted, ...]) -> Sequence[ScriptedReply]:
    """Return a scenario's decisions as the scripted model takes them."""
    return [
        ScriptedReply(
            when=one.when,
            heard=one.heard,
            text=one.text or "",
            tool=one.tool,
            request=one.request or "",
        )
        for one in replies
        if isinstance(one, ReplyEntry)
    ]


def captained(replies: tuple[Scripted, ...]) -> CaptainScript:
    """Return what a scenario's captain does, as the scripted captain takes it."""
    turns = [
        ScriptedTurn(
            heard=one.heard,
            calls=tuple(Call(tool=tool, arguments=json.dumps(one.arguments)) for tool in one.used),
            text=one.text or "",
            delay=one.delay,
        )
        for one in replies
        if isinstance(one, CaptainReplyEntry)
    ]
    return CaptainScript(turns, contains_words)


def _checked(tables: Overrides) -> Settings:
    try:
        return settled(tables)
    except BadConfig as error:
        raise ValueError(str(error)) from None
