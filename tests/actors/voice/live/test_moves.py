"""His voice server moves while he still follows an earlier move: in the end all hear each other."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest

from messages.ids import UtteranceId
from messages.voice import LinkDown, LinkFaltered, LinkPulse, SoundDrained, SoundFailed, SoundStarted
from tests.actors.voice.live.world import Sink, World, world
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.voice.session import Session
from tests.loopback.discord.voice.tones import packets, tone
from tests.loopback.discord.voice.wire import Op

STEPS = (
    Op.READY,
    Op.DESCRIPTION,
    Op.EXTERNAL_SENDER,
    Op.PROPOSALS,
    Op.ANNOUNCE_COMMIT,
    Op.WELCOME,
    Op.EXECUTE_TRANSITION,
)
SEEN_SECONDS = 0.5
"""Which of the group's letters somebody gets depends on who was first: what does not come is passed over."""


class Stuck:
    """On one line of somebody nothing passes any more from a step of the handshake on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._user, self._step = 0, Op.READY
        self._reached = threading.Event()
        send = Session._send

        def sends(session: Session, seq: int | None, frame: str | bytes) -> None:
            op = json.loads(frame)["op"] if isinstance(frame, str) else frame[2]
            if (session.user, op) == (self._user, self._step) and session.line is not None:
                session.line.half_open, self._user = True, 0
                self._reached.set()
            send(session, seq, frame)

        monkeypatch.setattr(Session, "_send", sends)

    def at(self, user: int, step: Op) -> None:
        """The next time that this user is about to hear of this."""
        self._reached.clear()
        self._step, self._user = step, user

    def wait(self) -> None:
        self._reached.wait(SEEN_SECONDS)
        self._user = 0


@pytest.fixture
def here() -> Iterator[World]:
    with world() as made:
        yield made


def moved(here: World) -> None:
    here.discord.voice.move(here.guild.id)
    here.guild.bot.new_server()


def all_hear_all(here: World, people: dict[Participant, Sink], utterance: str) -> None:
    bot = here.discord.user
    ids = {bot, *(one.id for one in people)}
    for person in people:
        person.wait_for_group(*(ids - {person.id}))
    before = {person: len(sink.frames) for person, sink in people.items()}
    said_before = {person: len(person.heard_from(bot)) for person in people}
    here.say(tone(660, 0.2), UtteranceId(utterance))
    for person in people:
        person.say(packets(440, 0.2))
    for person, sink in people.items():
        sink.wait(before[person] + 8)
        person.wait_for_sound(bot, said_before[person] + 8)
    assert here.news.expect(SoundDrained, 10.0).utterance == utterance


@pytest.mark.parametrize("whose", ["his", "a guest's"])
def test_a_second_move_at_any_step_of_the_first_leaves_all_in_one_group(
    here: World, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    ada, bert = here.person("Ada"), here.person("Bert")
    here.connect()
    people = {ada: here.hear(ada), bert: here.hear(bert)}
    stuck = Stuck(monkeypatch)
    for number, step in enumerate(STEPS):
        stuck.at(here.discord.user if whose == "his" else bert.id, step)
        moved(here)
        stuck.wait()
        moved(here)
        all_hear_all(here, people, f"step {number}")
    assert [one for one in here.news.received() if isinstance(one, LinkDown | LinkFaltered)] == []


def test_what_he_says_while_all_others_have_followed_already_is_kept_until_he_has(here: World) -> None:
    ada = here.person("Ada")
    here.connect()
    ada.wait_for_group(here.discord.user)
    for _ in range(3):  # a line that came up a moment ago has patience anyway
        here.news.expect(LinkPulse)
    here.say(tone(660, 1.0))
    here.news.expect(SoundStarted, 5.0)
    here.discord.voice.move(here.guild.id)
    left = here.discord.voice.record(here.discord.user)
    here.discord.wait(lambda: Op.CLIENT_DISCONNECT in left.from_server(), what="his being left alone")
    here.news.expect(LinkPulse)
    here.guild.bot.new_server()
    assert here.news.expect(SoundDrained, 10.0).frames == 50
    assert not any(isinstance(one, SoundFailed) for one in here.news.received())
