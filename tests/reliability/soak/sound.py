"""A hundred hours of sound without a wire: real keys, real windows, real Opus, and counters that run over."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from actors.audio.opus import OpusDecoder
from actors.voice.media.cipher import AES_GCM, Cipher
from actors.voice.media.group import SILENCE
from actors.voice.media.listening import Listening
from actors.voice.media.mail import Heard
from actors.voice.media.mouth import Mouth
from actors.voice.media.rtp import Outgoing
from actors.voice.settings import VoiceSettings
from messages.ids import Connection, UtteranceId
from messages.voice import SoundEvent
from tests.actors.voice.media.call import Call
from tests.actors.voice.media.hearing import Keys, opus
from tests.actors.voice.media.packets import Envelope, Sender
from tests.actors.voice.media.test_mouth import Letters, loud
from tests.reliability.soak.sizes import held

HIM: Final = 1
MOST_TALKERS: Final = 4
LAST_NUMBERS: Final = 20_000
"""A counter of 32 bits begins so far before its end, so that its end comes."""
NUMBERS: Final = 2**32
PACKETS_AN_HOUR: Final = 9_000
"""Three minutes of speech, so that sequence numbers run over every few hours of each talker's."""
HIS_FRAMES_AN_HOUR: Final = 3_000
OPUS: Final = opus()[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Glimpse:
    """What there is at one second, and what happened so far; what went `wrong` since the last one."""

    seconds: float
    people: int
    did: Counter[str]
    sizes: Counter[str]
    wrong: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Talker:
    """Somebody else's stream, and the place of his next packet."""

    user: int
    heard: bool
    at: Envelope


class Street:
    """The server's side of a call, and his ears at the other end of it."""

    def __init__(self, chance: random.Random) -> None:
        self.did: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.now, self.people = 0.0, 0
        self.listening = Listening(OpusDecoder, self._hear)
        self._chance, self._keys = chance, Keys(version=0)
        self._server, self._cipher = Sender(), Cipher(AES_GCM, bytes(32))
        self._talkers: list[Talker] = []
        self._owed = self._heard = 0
        self.another_line()

    def another_line(self) -> None:
        """All streams are given out anew, under another key."""
        self._another_key()
        self.listening.line(self._cipher, self._keys, HIM)
        for talker in self._talkers:
            self.listening.speaker(talker.at.ssrc, talker.user)
        self.did["lines"] += 1

    def rekey(self) -> None:
        """The same line, another key."""
        self._another_key()
        self.listening.rekey(self._cipher)
        self.did["keys"] += 1

    def _another_key(self) -> None:
        key = self._chance.randbytes(32)
        self._server, self._cipher = Sender(key=key), Cipher(AES_GCM, key)
        near_the_end(self._server.cipher)

    def come_and_go(self) -> None:
        """A stranger comes, and whoever has been here longest goes; his number may be given to another."""
        self.people += 1
        ssrc = self._chance.randrange(2, 500)
        while ssrc in [talker.at.ssrc for talker in self._talkers]:
            ssrc = self._chance.randrange(2, 500)
        at = Envelope(ssrc=ssrc, sequence=self._chance.randrange(65_000, 65_536), timestamp=2**32 - 96_000)
        talker = Talker(user=1_000 + self.people, heard=self._chance.random() < 0.8, at=at)
        self._talkers.append(talker)
        self.listening.microphone(talker.user, talker.heard)
        self.listening.speaker(ssrc, talker.user)
        if len(self._talkers) > MOST_TALKERS:
            gone = self._talkers.pop(0)
            self.listening.microphone(gone.user, False)
            self.listening.departed(gone.user)

    def talk(self, packets: int, seconds: float) -> None:
        """Everybody in turns says some of so many packets, with silence between, over so many seconds."""
        bursts = max(1, packets // 150)
        for _ in range(bursts):
            self._say(self._chance.choice(self._talkers), 150)
            self._wait(seconds / bursts)

    def _say(self, talker: Talker, packets: int) -> None:
        order = list(range(packets))
        at = self._chance.randrange(1, packets - 2)
        order[at], order[at + 1] = order[at + 1], order[at]
        lost = (at + packets // 2) % (packets - 2) + 1
        for place in order:
            if place != lost:
                self._send(talker.at.after(place))
            if place == at:
                self._send(talker.at.after(place))
        if talker.heard:
            self._owed += packets - 1
        self.did["packets"] += packets
        self.did["sequence numbers that ran over"] += talker.at.sequence + packets > 0xFFFF
        talker.at = talker.at.after(packets)

    def _send(self, envelope: Envelope) -> None:
        if self._server.cipher.next_number >= NUMBERS:
            self.did["nonces that ran out"] += 1
            self.rekey()
        self.listening.datagram(self._server.packet(envelope, OPUS), self.now)
        self.now += 0.001

    def _wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (due := self.listening.due) is not None and due <= end:
            self.now = max(self.now, due)
            self.listening.tick(self.now)
        self.now = end
        steps = round(seconds * 50)
        for talker in self._talkers:
            stamp = talker.at.timestamp + 960 * steps
            self.did["timestamps that ran over"] += stamp > 0xFFFFFFFF
            talker.at = replace(talker.at, timestamp=stamp & 0xFFFFFFFF)

    def _hear(self, heard: Heard) -> None:
        self._heard += not heard.concealed

    def settle(self) -> None:
        """Everything that was sent and not lost on the way was heard."""
        self._keys.asked.clear()
        if self._heard != self._owed:
            self.wrong.append(f"{self._owed} packets came and {self._heard} were heard")
        self._owed = self._heard = 0


class Voice:
    """His side: a mouth, its headers and its lock."""

    def __init__(self, chance: random.Random) -> None:
        self.did: Counter[str] = Counter()
        self.mouth = Mouth(Connection(1), VoiceSettings(), Letters(), lambda: self, self._told)
        self._chance = chance
        self._outgoing = Outgoing(7, lambda bits: (1 << bits) - 500)
        self._lock()

    def _lock(self) -> None:
        self._cipher = Cipher(AES_GCM, self._chance.randbytes(32))
        near_the_end(self._cipher)

    def speak(self, frames: int, now: float) -> None:
        """Say something of so many frames; somebody may interrupt it."""
        for first in range(0, frames, 500):
            self.did["utterances"] += 1
            name, at = UtteranceId(f"u{self.did['utterances']}"), now + first
            self.mouth.play(name, loud(50) * 10, at)
            self.mouth.end(name, at)
            cut = self._chance.randrange(1_000)
            while (due := self.mouth.due) is not None:
                self.mouth.turn(due)
                self.mouth.prepare()
                cut -= 1
                if cut == 0:
                    self.mouth.cut(name, due)

    def obstacle(self) -> str | None:
        """There is none."""
        return None

    def speaking(self, on: bool) -> None:
        """Nobody looks."""

    def send(self, frame: bytes, slots: int) -> bool:
        """Lock it; a key that is used up is the end of a media process, and the next one has another."""
        self._outgoing.skip(slots - 1)
        try:
            self._cipher.seal(self._outgoing.next(), SILENCE + frame)
        except OverflowError:
            self.did["nonces that ran out"] += 1
            self._lock()
        self.did["his packets"] += 1
        return True

    def _told(self, event: SoundEvent) -> None:
        self.did[type(event).__name__] += event.utterance != ""


def near_the_end(cipher: Cipher) -> None:
    """Let the numbers of this key run out soon."""
    cipher._counter = NUMBERS - LAST_NUMBERS  # pyright: ignore[reportPrivateUsage]


def another_group() -> Call:
    """Two people on a new line, each with a new session of davey."""
    call = Call()
    call.join(11, 22)
    return call


def sound(hours: float, seed: int, samples: int) -> Iterator[Glimpse]:
    """So many hours of sound, and what there is after each part of it.

    Each line has a group of its own, as in `Lines`: what davey keeps of a group's changes goes with the line.
    """
    chance = random.Random(seed)
    street, voice, call = Street(chance), Voice(chance), another_group()
    part = hours / samples
    for number in range(1, samples + 1):
        street.come_and_go()
        street.talk(round(PACKETS_AN_HOUR * part), part * 3_600.0)
        voice.speak(round(HIS_FRAMES_AN_HOUR * part), street.now)
        if number % 10 == 0:
            street.another_line()
            call = another_group()
        call.join(1_000 + number)
        call.pass_time(part * 3_600.0)
        call.all_hear_all()
        call.leave(1_000 + number)
        street.settle()
        found = held(street.listening, "ears") + held(voice.mouth, "mouth")
        found += held(call.seats[11].link, "link")
        wrong, street.wrong = tuple(street.wrong), []
        yield Glimpse(
            seconds=street.now,
            people=street.people,
            did=street.did + voice.did,
            sizes=found,
            wrong=wrong,
        )
