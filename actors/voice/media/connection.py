"""One connection: the lines that carry its sound, the mouth that speaks on them, and the clock of both."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeAlias, assert_never

from actors.audio.opus import OpusEncoder
from actors.voice.media import mail, sound_news
from actors.voice.media.group import Group
from actors.voice.media.lines import Lines
from actors.voice.media.listening import Listening
from actors.voice.media.mail import Begin, News, Open
from actors.voice.media.mouth import Mouth
from actors.voice.media.timer import Timer
from actors.voice.media.web import Network
from actors.voice.settings import VoiceSettings
from messages.ids import Connection, UtteranceId
from messages.voice import SoundEvent

MakeGroup: TypeAlias = Callable[[Open], Group]
Order: TypeAlias = (
    mail.VoiceState | mail.VoiceServer | mail.Sound | mail.End | mail.Cut | mail.Gain | mail.Hold
)


class Connected:
    """Sound leaves first; the group's work, which takes milliseconds, is done right after a packet."""

    def __init__(
        self,
        call: Open,
        begin: Begin,
        *,
        network: Network,
        listening: Listening,
        make_group: MakeGroup,
        tell: Callable[[News], None],
        listened: Callable[[], None],
    ) -> None:
        """`listened` is called when the listening may have heard something, or want its `tick` elsewhen."""
        self.number, self._tell = call.connection, tell
        self._loop = asyncio.get_running_loop()
        self._tally = listening.tally
        self._before = self._tally.transport_calls, self._tally.decoded
        self._timer, self._work_is_due = Timer(self._loop, self._turn), False
        self._lines = Lines(
            call,
            network=network,
            listening=listening,
            make_group=make_group,
            secure_seconds=begin.secure_seconds,
            tell=tell,
            work=self._work_waits,
            listened=listened,
        )
        encoder = OpusEncoder(bitrate=begin.bitrate, complexity=begin.complexity, path=begin.opus_library)
        self._mouth = Mouth(
            Connection(self.number), _settings(begin), encoder, lambda: self._lines.current, self._said
        )

    def obey(self, order: Order) -> None:
        """Carry out an order about this connection."""
        match order:
            case mail.VoiceState():
                self._lines.state(order.session)
            case mail.VoiceServer():
                self._lines.server(order.token, order.endpoint)
            case mail.Sound() | mail.End() | mail.Cut() | mail.Gain() | mail.Hold():
                self._speak(order, UtteranceId(str(order.utterance)), time.monotonic())
                self._turn()
            case _:
                assert_never(order)

    def pulse(self, now: float) -> None:
        """To be called every second; tells how much came and went."""
        self._lines.pulse(now)
        arrived, decoded = self._before
        self._tell(
            mail.Pulse(
                connection=self.number,
                arrived=self._tally.transport_calls - arrived,
                decoded=self._tally.decoded - decoded,
                waiting=self._mouth.waiting,
                sent=self._mouth.sent,
                alone=self._lines.alone,
            )
        )

    def close(self) -> None:
        """Let go of everything; no news follow."""
        skipped, overflowed = self._mouth.missed
        if skipped or overflowed or self._mouth.lost:
            text = f"{skipped} slots skipped, {overflowed} frames too many, {self._mouth.lost} not sent"
            self._tell(mail.Note(text=text))
        self._mouth.close()
        self._lines.close()
        self._timer.close()

    def _speak(
        self,
        order: mail.Sound | mail.End | mail.Cut | mail.Gain | mail.Hold,
        utterance: UtteranceId,
        now: float,
    ) -> None:
        match order:
            case mail.Sound():
                self._mouth.play(utterance, order.pcm, now)
            case mail.End():
                self._mouth.end(utterance, now)
            case mail.Cut():
                self._mouth.cut(utterance, now)
            case mail.Gain():
                self._mouth.gain(utterance, order.decibels, order.seconds)
            case mail.Hold():
                self._mouth.hold(utterance, order.held, now)
            case _:
                assert_never(order)

    def _said(self, event: SoundEvent) -> None:
        self._tell(sound_news.written(self.number, int(event.utterance), event))

    def _turn(self) -> None:
        """Send what is due, then do what had to wait for that."""
        if self._mouth.turn(time.monotonic()):
            self._loop.call_soon(self._mouth.prepare)
            self._work_soon()
        elif not self._mouth.paces:
            self._work_soon()
        self._timer.set(self._mouth.due)

    def _work_waits(self) -> None:
        if not self._mouth.paces:
            self._work_soon()

    def _work_soon(self) -> None:
        if self._lines.work_waiting and not self._work_is_due:
            self._work_is_due = True
            self._loop.call_soon(self._work)

    def _work(self) -> None:
        self._work_is_due = False
        self._lines.work(time.monotonic())


def _settings(begin: Begin) -> VoiceSettings:
    return VoiceSettings(
        trailing_silence_frames=begin.trailing_silence_frames,
        audible_dbfs=begin.audible_dbfs,
        queue_seconds=begin.queue_seconds,
        starved_seconds=begin.starved_seconds,
        dave_seconds=begin.dave_seconds,
    )
