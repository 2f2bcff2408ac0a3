"""What a voice server writes on its websocket, and what a media process writes to the house."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from actors.base import Life
from actors.evidence.wire import Malformed, to_line
from actors.switchboard import Caller, Switchboard
from actors.voice.actor import Voice
from actors.voice.live import LiveVoiceLink
from actors.voice.live.call import Call
from actors.voice.live.child import Child
from actors.voice.media import acts, ipc, mail
from actors.voice.media.dave import DaveGroup
from actors.voice.media.link import Link
from actors.voice.media.reading import read_binary, read_text
from actors.voice.settings import VoiceSettings
from messages.evidence import EvidenceMessage
from messages.ids import CaptureId, Connection, PersonId, RoomId, StayId, UtteranceId
from messages.playback import PlaybackMessage
from messages.stay import StayMessage
from messages.voice import OpenLink, OpenMicrophone, PlaySound
from tests.actors.voice.fake import FrameList
from tests.actors.voice.media.line import (
    ACKNOWLEDGED,
    ADA,
    ANSWER,
    BEA,
    CHANNEL,
    GCM,
    GUILD,
    HELLO,
    READY,
    RESUMED,
    SESSION,
    TOKEN,
    USER,
    XCHACHA,
    Keys,
    description,
    frame,
    letter,
    numbered,
)
from tests.clock import ManualClock
from tests.loopback.discord.mls.members import Channel
from tests.probe import Probe
from tests.reliability.fuzz.target import Broken, Form, Target, pack, unpack

_MEDIA: Final = "actors/voice/media/"
_FRAMES: Final = (
    HELLO,
    READY,
    description(),
    description(version=0),
    ACKNOWLEDGED,
    RESUMED,
    frame(5, {"ssrc": 9, "user_id": str(ADA), "speaking": 1}, seq=3),
    frame(11, {"user_ids": [str(ADA), str(BEA)]}, seq=4),
    frame(12, {"user_id": str(ADA), "audio_ssrc": 8, "video_ssrc": 0}),
    frame(13, {"user_id": str(ADA)}),
    frame(21, {"transition_id": 1, "protocol_version": 0}),
    frame(22, {"transition_id": 1}),
    frame(24, {"protocol_version": 1, "epoch": 1}),
)
_LETTERS: Final = (
    letter(25, b"sender", 1),
    letter(27, b"\0append", 2),
    letter(27, b"\1revoke", 3),
    letter(29, numbered(2, b"commit"), 4),
    letter(30, numbered(0, b"welcome"), 5),
    letter(29, numbered(3, b"wrong"), 6),
)


class _Room:
    """A line with everything behind it that is no socket; time goes by from frame to frame."""

    def __init__(self, group: object) -> None:
        self.now = 1_000.0
        self.link = Link(
            user=USER,
            guild=GUILD,
            session=SESSION,
            token=TOKEN,
            group=group,  # type: ignore[arg-type]
            jitter=0.5,
            modes=(GCM, XCHACHA),
        )
        self.do(self.link.connected(self.now))

    def do(self, done: acts.Acts) -> None:
        """Whoever is told of can be told of in the house, too."""
        for act in done:
            if isinstance(act, acts.Speaker | acts.Departed):
                ipc.encode(mail.Tally(user=act.user, decoded=1, unread=1))
            elif isinstance(act, acts.Lost):
                ipc.encode(mail.Lost(connection=1, plan=act.plan.value, reason=act.reason))
            elif isinstance(act, acts.GroupTrouble):
                ipc.encode(mail.Note(text=f"op {act.op}: {act.kind}"))

    def begin(self) -> None:
        """Up, in a group or on the way into one."""
        for text in (HELLO, READY):
            self.do(self.link.text(text, self.now))
        self.do(self.link.datagram(ANSWER, self.now))
        self.do(self.link.text(description(), self.now))
        self.work()

    def work(self) -> None:
        """All that waits for a good moment."""
        for _ in range(600):
            if not self.link.work_waiting:
                return
            self.do(self.link.work(self.now))
        raise Broken("the work does not come to an end")

    def wait(self, seconds: float) -> None:
        """Whatever is due happens."""
        self.now += seconds
        for _ in range(100):
            due = self.link.due
            if due is None or due > self.now:
                return
            self.do(self.link.tick(self.now))
        raise Broken("something is due for ever")

    def told(self, part: bytes) -> None:
        """One message: a letter if it begins like none of JSON's, else a text."""
        if part[:1] in (b"{", b"[", b'"', b"n", b""):
            self.do(self.link.text(part.decode("utf-8", "replace"), self.now))
        elif part[:1] == b"\xff":
            self.do(self.link.closed(int.from_bytes(part[1:3], "big") or None, self.now))
            self.do(self.link.connected(self.now))
        else:
            self.do(self.link.binary(part, self.now))


def _group_letters() -> list[bytes]:
    """What a real server says of a real group."""
    channel = Channel()
    for user in (ADA, USER):
        channel.join(user)
        channel.settle()
    heard = [one for member in channel.members.values() for one in member.heard]
    return [letter(op, body, place) for place, (op, body) in enumerate(heard) if isinstance(body, bytes)]


def _text(data: bytes) -> None:
    read_text(data.decode("utf-8", "replace"))
    room = _Room(Keys())
    room.begin()
    room.told(data)
    room.work()
    room.wait(1.0)


def _binary(data: bytes) -> None:
    read_binary(data)
    group = DaveGroup(user=USER, channel=CHANNEL)
    room = _Room(group)
    room.begin()
    room.do(room.link.binary(data, room.now))
    room.work()
    room.wait(1.0)


def _sequence(data: bytes) -> None:
    for group in (Keys(), DaveGroup(user=USER, channel=CHANNEL)):
        room = _Room(group)
        for part in unpack(data):
            room.told(part)
            room.work()
            room.wait(0.3)
        if (room.link.due is None) != (room.link.phase == "closed"):
            raise Broken("a line without a deadline")


def _sequence_seeds() -> list[bytes]:
    texts = [one.encode() for one in _FRAMES]
    opened = texts[:2] + texts[2:3]
    return [
        pack(texts),
        pack([*opened, *_LETTERS]),
        pack([*opened, texts[7], *_LETTERS[:2], texts[12], *_LETTERS[2:], b"\xff\x0f\xa6", texts[5]]),
    ]


# --- between the two processes ----------------------------------------------------------------------


def _letters() -> list[bytes]:
    pcm = bytes(1_920)
    told: tuple[mail.Letter, ...] = (
        mail.Hello(version=ipc.VERSION, priority="nice", opus="libopus"),
        mail.Reached(connection=1),
        mail.Up(connection=1, dave_version=1),
        mail.Lost(connection=1, plan="fresh", reason="dave_storm"),
        mail.Resumed(connection=1, milliseconds=30),
        mail.Secured(connection=1, privacy_code="1" * 30),
        mail.Voices(frames=(mail.Heard(ADA, pcm[:960].ljust(960, b"\0"), 5.0, 1, False),)),
        mail.Spoken(connection=1, utterance=1, what="started", frames=0, dropped=0, at=1.5, reason=""),
        mail.Spoken(connection=1, utterance=1, what="failed", frames=5, dropped=0, at=0.0, reason="why"),
        mail.Pulse(connection=1, arrived=5, decoded=4, waiting=1, sent=9, alone=False),
        mail.Tally(user=ADA, decoded=5, unread=0),
        mail.IsShut(connection=1),
        mail.Note(text="something was odd"),
        mail.Ping(token=1),
        mail.Open(connection=1, user=USER, guild=GUILD, channel=CHANNEL),
        mail.VoiceState(connection=1, session=SESSION),
        mail.VoiceServer(connection=1, token=TOKEN, endpoint="localhost:443"),
        mail.Microphone(user=ADA, open=True),
        mail.Sound(connection=1, utterance=1, pcm=pcm),
        mail.Gain(connection=1, utterance=1, decibels=-6.0, seconds=0.2),
    )
    return [ipc.encode(one) for one in told]


_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)


class _Loop:
    """The I/O thread, which does nothing here."""

    def call(self, callback: Callable[..., object], *args: object) -> bool:
        """Not now."""
        return True


class _Process:
    """A media process of whom only the letters are heard."""

    pid = 1
    killed = 0

    def kill(self) -> None:
        """Counted."""
        self.killed += 1

    def fileno(self) -> int:
        """None."""
        return -1


class _House:
    """A link and its room, between which and the process there is no pipe."""

    def __init__(self) -> None:
        self.clock, self.stay = ManualClock(), Probe[StayMessage]()
        self.evidence, self.sink = Probe[EvidenceMessage](), FrameList()
        self.link = LiveVoiceLink(Switchboard(), _Loop(), VoiceSettings())  # type: ignore[arg-type]
        self.voice = Voice(
            Life.alone("voice"),
            stay_id=StayId("s1"),
            stay=self.stay,
            playback=Probe[PlaybackMessage](),
            evidence=self.evidence,
            clock=self.clock,
            port=self.link,
            settings=VoiceSettings(),
        )
        self.link._cradle.be_born = lambda: True  # type: ignore[method-assign]
        self.voice.opened()
        self.link.open(self.voice.receive)
        self.voice.receive(OpenLink(room=RoomId("5")))
        caller = Caller(user=USER, guild=GUILD, channel=5)
        self.link._dialling._call = Call(connection=Connection(1), room=RoomId("5"), caller=caller)
        person = PersonId(str(ADA))
        self.voice.receive(OpenMicrophone(person=person, capture=CaptureId("c"), sink=self.sink))
        self.child = Child.__new__(Child)
        self.child._news, self.child._died = self.link._take, lambda _child: None
        self.child._popen = _Process()  # type: ignore[assignment]
        self.child._loop = self.child._beat = None
        self.child._unanswered, self.child.hello = 0, None

    def holds(self) -> None:
        """What is shown and recorded of it is fit to be shown and recorded."""
        for name, value in self.voice.describe().items():
            if isinstance(value, str) and (len(value) > 300 or not value.isprintable()):
                raise Broken(f"{name} is shown as it came")
        for receipt in self.evidence.received():
            line = to_line(receipt, entry_id="1", occurred_at=_NOW, origin="o")  # type: ignore[arg-type]
            if isinstance(line, Malformed):
                raise Broken(f"a receipt that is none: {line.reason}")


def _media(data: bytes) -> None:
    house = _House()
    for part in unpack(data):
        house.child._read(part)
        house.voice.receive(PlaySound(utterance=UtteranceId("u"), pcm=bytes(960)))
        house.clock.advance(0.2)
        house.holds()


def _orders(data: bytes) -> None:
    """The other way: what the house writes is trusted, but nothing that is garbled passes for a letter."""
    for part in unpack(data):
        try:
            read = ipc.decode(part)
        except ipc.Garbled as garbled:
            if len(str(garbled)) > 120:
                raise Broken("a complaint that has no bound") from None
        else:
            ipc.encode(read)


TARGETS: Final = (
    Target(
        name="voice-text",
        of="voice JSON",
        feed=_text,
        seeds=lambda: [one.encode() for one in _FRAMES],
        readers=(f"{_MEDIA}reading.py", f"{_MEDIA}link.py", f"{_MEDIA}people.py"),
        form=Form.JSON,
        secrets=(TOKEN, SESSION),
    ),
    Target(
        name="voice-binary",
        of="voice binary",
        feed=_binary,
        seeds=lambda: [*_LETTERS, *_group_letters()],
        readers=(f"{_MEDIA}reading.py", f"{_MEDIA}grouping.py", f"{_MEDIA}newcomers.py", f"{_MEDIA}dave.py"),
    ),
    Target(
        name="voice-sequence",
        of="voice binary",
        feed=_sequence,
        seeds=_sequence_seeds,
        readers=tuple(
            f"{_MEDIA}{name}.py"
            for name in (
                "link",
                "grouping",
                "transitions",
                "reading",
                "comeback",
                "heart",
                "people",
                "newcomers",
            )
        ),
        form=Form.JSON,
        sequence=True,
        secrets=(TOKEN, SESSION),
    ),
    Target(
        name="media-news",
        of="media process",
        beside="sound",
        feed=_media,
        seeds=lambda: [pack(_letters()), *(pack([one]) for one in _letters())],
        readers=(
            f"{_MEDIA}ipc.py",
            f"{_MEDIA}sound_news.py",
            "actors/voice/live/link.py",
            "actors/voice/live/dialling.py",
            "actors/voice/core.py",
            "actors/voice/speech.py",
            "actors/voice/watch.py",
        ),
        sequence=True,
        secrets=(TOKEN, SESSION),
    ),
    Target(
        name="media-orders",
        of="media process",
        beside="sound",
        feed=_orders,
        seeds=lambda: [pack(_letters())],
        readers=(f"{_MEDIA}ipc.py",),
        sequence=True,
    ),
)
