"""One loop for ears, mouth and mail: nothing in this process waits, so nothing in it is late."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from typing import Final

from actors.audio.opus import OpusDecoder
from actors.voice.media import mail
from actors.voice.media.connection import Connected, MakeGroup
from actors.voice.media.ipc import MOST_FRAMES, Garbled, decode, encode
from actors.voice.media.listening import Listening
from actors.voice.media.mail import Begin, News
from actors.voice.media.pipe import Pipe, PipeClosed
from actors.voice.media.web import Network

PULSE_SECONDS: Final = 1.0


class MediaProcess:
    """Obeys the parent's mail and tells the news; on the loop's thread only."""

    def __init__(
        self,
        end: socket.socket,
        begin: Begin,
        *,
        network: Network,
        make_group: MakeGroup,
        ended: Callable[[bool], None],
    ) -> None:
        """`ended` is told that the parent has said goodbye (true) or is gone (false)."""
        self._pipe = Pipe(end, self._flush)
        self._begin = begin
        self._network = network
        self._make_group = make_group
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._heard: list[mail.Heard] = []
        self._listening = Listening(lambda: OpusDecoder(path=begin.opus_library), self._heard.append)
        self._connected: Connected | None = None
        self._lost = 0
        self._told: dict[int, tuple[int, int]] = {}
        self._listen_due: float | None = None
        self._listen_alarm: asyncio.TimerHandle | None = None
        self._loop.add_reader(self._pipe.fileno(), self._readable)
        self._loop.call_later(PULSE_SECONDS, self._pulse)

    def tell(self, news: News) -> None:
        """Send one letter to the parent, after all that was heard before it."""
        if self._heard:
            self._pass_on()
        self._pipe.send(encode(news), sound=False)

    def _flush(self) -> None:
        """Send what waited for the pipe to empty."""
        if self._pipe.flush():
            self._loop.remove_writer(self._pipe.fileno())
        else:
            self._loop.add_writer(self._pipe.fileno(), self._flush)

    def _pass_on(self) -> None:
        """Tell the parent what was heard; only that may get lost."""
        for begin in range(0, len(self._heard), MOST_FRAMES):
            frames = tuple(self._heard[begin : begin + MOST_FRAMES])
            if not self._pipe.send(encode(mail.Voices(frames=frames)), sound=True):
                self._lost += len(frames)
        self._heard.clear()

    def _listened(self) -> None:
        """Pass on what the listening has heard, and ring when it wants to; it may have changed its mind."""
        if self._heard:
            self._pass_on()
        due = self._listening.due
        if due == self._listen_due:
            return
        self._listen_due = due
        if self._listen_alarm is not None:
            self._listen_alarm.cancel()
        self._listen_alarm = None if due is None else self._loop.call_at(due, self._listen)

    def _listen(self) -> None:
        self._listen_due = self._listen_alarm = None
        self._listening.tick(time.monotonic())
        self._listened()

    def _readable(self) -> None:
        try:
            for message in self._pipe.each():
                self._read(message)
        except PipeClosed:
            self._ended(False)
            return
        self._listened()

    def _read(self, message: bytes) -> None:
        try:
            self._obey(decode(message))
        except Garbled as garbled:
            self.tell(mail.Note(text=f"an order was garbled: {garbled}"))

    def _obey(self, letter: mail.Letter) -> None:
        match letter:
            case mail.Open():
                self._open(letter)
            case mail.Shut():
                self._shut(letter.connection)
            case mail.Microphone():
                self._listening.microphone(letter.user, letter.open)
            case mail.Ping():
                self.tell(letter)
            case mail.Bye():
                if self._connected is not None:
                    self._connected.close()
                self._tally()
                self._ended(True)
            case (
                mail.VoiceState()
                | mail.VoiceServer()
                | mail.Sound()
                | mail.End()
                | mail.Cut()
                | mail.Gain()
                | mail.Hold()
            ):
                if self._connected is not None and letter.connection == self._connected.number:
                    self._connected.obey(letter)
            case _:
                self.tell(mail.Note(text=f"{type(letter).__name__} is no order"))

    def _open(self, call: mail.Open) -> None:
        if self._connected is not None:
            self._connected.close()
        self._connected = Connected(
            call,
            self._begin,
            network=self._network,
            listening=self._listening,
            make_group=self._make_group,
            tell=self.tell,
            listened=self._listened,
        )

    def _shut(self, connection: int) -> None:
        if self._connected is not None and self._connected.number == connection:
            self._connected.close()
            self._connected = None
        self._tally()
        self._explain()
        self.tell(mail.IsShut(connection=connection))

    def _tally(self) -> None:
        for user, counts in self._listening.counts().items():
            if self._told.get(user) != counts:
                self._told[user] = counts
                self.tell(mail.Tally(user=user, decoded=counts[0], unread=counts[1]))

    def _explain(self) -> None:
        """Why sound was not heard, for whoever wonders."""
        dropped = self._listening.tally.dropped.most_common()
        reasons = [f"{packets} {reason}" for reason, packets in dropped]
        if self._lost:
            reasons.append(f"{self._lost} pipe_full")
        if reasons:
            self.tell(mail.Note(text=f"packets dropped so far: {', '.join(reasons)}"))

    def _pulse(self) -> None:
        self._loop.call_later(PULSE_SECONDS, self._pulse)
        if self._connected is not None:
            self._connected.pulse(time.monotonic())
        self._tally()
