"""The guests of a night: each has a client and keys of his own, speaks aloud, writes, and listens."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from actors.audio.opus import BadPacket, OpusDecoder
from actors.audio.pcm import FRAME_SECONDS
from tests.loopback.discord.participant import TRAILING_SILENCE, Heard, Participant
from tests.loopback.discord.people import Member
from tests.loopback.discord.rooms import Channel, VoiceRoom
from tests.loopback.discord.server import Discord
from tests.reliability import marks
from tests.reliability.voices import Line, lines

KEPT: Final = 1_000_000
RECENT: Final = 500
"""His latest packets: whoever hears one of them hears what the first did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """One packet of his that reached a guest; `tone` is the number of the answer that it belongs to.

    It is None where a packet says no number clearly, as the first or last of a sentence may. `silent` is
    the packet that says nothing; `sealed` whether it came encrypted from end to end.
    """

    at: float
    listener: str
    tone: int | None
    silent: bool
    sealed: bool


class Ears:
    """What all guests together hear of him."""

    def __init__(self, discord: Discord) -> None:
        self.came: deque[Sound] = deque(maxlen=KEPT)
        self.deaf = False
        """Whether nothing is kept, for a load where nobody asks what was heard."""
        self._discord = discord
        self._changed = threading.Condition()
        self._decoders: dict[int, OpusDecoder] = {}
        self._known: dict[tuple[int, int], int | None] = {}

    def all(self, *, after: float = 0.0) -> list[Sound]:
        """What came after this monotonic second."""
        with self._changed:
            return [one for one in self.came if one.at >= after]

    def wait(
        self, found: Callable[[list[Sound]], float | None], after: float, seconds: float
    ) -> float | None:
        """Until something is found in what came after a second; None if it is not in time."""
        result: float | None = None

        def look() -> bool:
            nonlocal result
            recent: list[Sound] = []
            for one in reversed(self.came):
                if one.at < after:
                    break
                recent.append(one)
            result = found(recent[::-1])
            return result is not None

        with self._changed:
            self._changed.wait_for(look, seconds)
        return result

    def heard(self, listener: str, heard: Heard) -> None:
        """One packet reached somebody; on the loop's thread."""
        if heard.user != self._discord.user or self.deaf:
            return
        tone = None if heard.silent else self._tone(heard)
        sound = Sound(
            at=heard.at, listener=listener, tone=tone, silent=heard.silent, sealed=self._is_sealed(heard)
        )
        with self._changed:
            self.came.append(sound)
            self._changed.notify_all()

    def close(self) -> None:
        """Let go of the decoders."""
        for decoder in self._decoders.values():
            decoder.close()
        self._decoders.clear()

    def _tone(self, heard: Heard) -> int | None:
        key = (heard.ssrc, heard.timestamp)
        if key not in self._known:
            while len(self._known) >= RECENT:
                del self._known[next(iter(self._known))]
            if heard.ssrc not in self._decoders:
                self.close()
                self._decoders[heard.ssrc] = OpusDecoder()
            with suppress(BadPacket):
                self._known[key] = marks.read_chord(self._decoders[heard.ssrc].decode(heard.opus))
        return self._known.get(key)

    def _is_sealed(self, heard: Heard) -> bool:
        """Whether the voice server could not have listened to it."""
        arrivals = self._discord.voice.record(heard.user).arrivals
        for place in range(1, min(50, len(arrivals)) + 1):
            if arrivals[-place].timestamp == heard.timestamp:
                return arrivals[-place].kind != "plain"
        return not heard.silent


class Guest:
    """One of them; any thread may ask anything of him, one at a time."""

    def __init__(self, discord: Discord, member: Member, room: VoiceRoom, lobby: Channel, ears: Ears) -> None:
        self.member, self.name, self.id = member, member.name, member.id
        self.participant = Participant(discord.voice, member)
        self.participant.on_heard = lambda heard: ears.heard(self.name, heard)
        self.room = room
        """Where he sits, or sat last."""
        self.consenting = False
        """Whether he has opted in last, or out."""
        self.said: deque[tuple[float, Line]] = deque(maxlen=10_000)
        """What he began to say, and when."""
        self._discord, self._lobby = discord, lobby
        self._saying: Future[int] | None = None
        self._said_at = 0.0
        self._silent = threading.Event()
        self._silent.set()

    # --- speaking and writing -----------------------------------------------------------------------

    def say(self, line: str | Line) -> float:
        """Begin to say a line (its name, or itself) at the pace of speech; returns when it will have ended.

        What he was saying he says to its end first.
        """
        line = lines()[line] if isinstance(line, str) else line
        self.finish()
        now = time.monotonic()
        self.said.append((now, line))
        self._saying = self.participant.say(line.packets)
        self._silent.clear()
        self._saying.add_done_callback(self._has_said)
        return now + line.seconds

    @property
    def said_at(self) -> float:
        """When the last packet of what he said last had left; waits until it has."""
        self.finish()
        return self._said_at

    def _has_said(self, _done: Future[int]) -> None:
        self._said_at = time.monotonic() - TRAILING_SILENCE * FRAME_SECONDS
        self._silent.set()

    @property
    def saying(self) -> bool:
        """Whether he is speaking."""
        return self._saying is not None and not self._saying.done()

    def finish(self, seconds: float = 60.0) -> None:
        """Wait until he has said what he is saying; what takes longer is broken off."""
        if not self._silent.wait(seconds):
            self.hush()

    def hush(self) -> None:
        """Break off."""
        if self._saying is not None:
            self._saying.cancel()

    def write(self, text: str, channel: Channel | None = None) -> int:
        """Write into the chat of the room that he sits in, or elsewhere; the message's id."""
        return self.member.write(channel or self.room, text)

    def address(self, text: str) -> int:
        """Write to him in the lobby, naming him; the message's id."""
        bot = self._discord.user
        return self.member.write(self._lobby, f"<@{bot}> {text}")

    # --- coming, going, consent ----------------------------------------------------------------------

    @property
    def here(self) -> bool:
        """Whether he sits in any room."""
        return self.member.room is not None

    def consent(self, granted: bool = True) -> None:
        """Type the slash command; returns when it was answered."""
        self.consenting = granted
        command = f"clankie voice-consent {'opt-in' if granted else 'opt-out'}"
        self.member.command(command, self.room).wait()

    def arrive(self, room: VoiceRoom | None = None) -> None:
        """Sit down and connect, where he sat last unless told otherwise."""
        self.room = room or self.room
        self.participant.join(self.room)

    def leave(self) -> None:
        """Hang up and go; whoever goes has to opt in anew."""
        self.hush()
        self.consenting = False
        self.participant.leave()

    def move(self, room: VoiceRoom) -> None:
        """A moderator moves him; his client follows."""
        self.room = room
        self.member.move(room)
