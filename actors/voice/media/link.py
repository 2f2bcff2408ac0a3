"""One voice websocket line and its resumes as a machine without sockets: frames and time in, acts out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from actors.voice.media import close_codes, letters, opening
from actors.voice.media.acts import Abort, Acts, Connect, Lost, OpenUdp, Resumed, Up
from actors.voice.media.close_codes import Plan, Verdict
from actors.voice.media.comeback import Comeback, Step
from actors.voice.media.discovery import Discovery
from actors.voice.media.group import Group
from actors.voice.media.grouping import Grouping
from actors.voice.media.heart import Heart
from actors.voice.media.people import People
from actors.voice.media.phase import Phase
from actors.voice.media.reading import read_binary, read_text

PATIENCE: Final = 10.0
"""Seconds from the first websocket to the session description."""


class Link:
    """A line for one channel, made anew for every session; `group` is for the same channel.

    Its owner opens the first websocket and says `connected` or `closed`. `now` is monotonic seconds, never
    going back. After Lost, every call answers with nothing.
    """

    def __init__(
        self,
        *,
        user: int,
        guild: int,
        session: str,
        token: str,
        group: Group,
        jitter: float,
        modes: Sequence[str],
    ) -> None:
        """`jitter` is chance from 0 to 1 for the first heartbeat; `modes` he can encrypt, the best first."""
        self.phase = Phase.OPENING
        self._introduction = opening.Introduction(user=user, guild=guild, session=session, token=token)
        self._modes = modes
        self._people = People(user)
        self._grouping = Grouping(group, user)
        self._heart = Heart(jitter)
        self._comeback = Comeback()
        self._discovery: Discovery | None = None
        self._opening_until: float | None = None
        self._online = False
        self._seq_ack = -1
        self._ssrc = 0
        self._speaking = False
        self._closed_normally = False

    @property
    def due(self) -> float | None:
        """When `tick` is wanted at the latest."""
        if self.phase is Phase.CLOSED:
            return None
        asks = None if self._discovery is None else self._discovery.due
        times = (self._heart.due, asks, self._opening_until, self._comeback.due, self._grouping.due)
        return min((at for at in times if at is not None), default=None)

    @property
    def work_waiting(self) -> bool:
        """Whether `work` has something to do: right after a packet went out, or at once if none will."""
        return self.phase is Phase.UP and self._grouping.waiting

    def connected(self, now: float) -> Acts:
        """The websocket stands: he introduces himself, or takes up the session where it broke."""
        if self.phase is Phase.OPENING:
            self._opening_until = now + PATIENCE
            self.phase = Phase.IDENTIFIED
            act = self._introduction.identify()
        elif self.phase is Phase.RESUMING and not self._online and not self._comeback.resting:
            act = self._introduction.resume(self._seq_ack)
        else:
            return ()
        self._online = True
        self._heart.start(now)
        return (act,)

    def text(self, text: str, now: float) -> Acts:
        """A text frame, whatever is in it."""
        return self._heard(*read_text(text), now) if self._online else ()

    def binary(self, body: bytes, now: float) -> Acts:
        """A binary frame, whatever is in it."""
        return self._heard(*read_binary(body), now) if self._online else ()

    def datagram(self, datagram: bytes, now: float) -> Acts:
        """A datagram that may be the answer to IP discovery; any other one is ignored."""
        selected = None if self._discovery is None else self._discovery.answer(datagram)
        if selected is None:
            return ()
        self._discovery = None
        self.phase = Phase.SELECTING
        return (selected,)

    def closed(self, code: int | None, now: float) -> Acts:
        """The websocket is gone, or could not be opened (None)."""
        if self.phase is Phase.CLOSED or (self.phase is Phase.RESUMING and self._comeback.resting):
            return ()
        self._offline()
        found = close_codes.verdict(code)
        if code == 1000:
            found = close_codes.CLOSED_AGAIN if self._closed_normally else found
            self._closed_normally = True
        return self._broken(code, found, now)

    def speaking(self, on: bool, now: float) -> Acts:
        """Op 5 before the first and after the last packet; kept and said again when the line is back."""
        self._speaking = on
        return (opening.speaking(ssrc=self._ssrc, on=on),) if self.phase is Phase.UP else ()

    def work(self, now: float) -> Acts:
        """One piece of work of some milliseconds for the end-to-end encryption, if one waits."""
        return self._settled(self._grouping.work(now)) if self.work_waiting else ()

    def tick(self, now: float) -> Acts:
        """Does what is due; harmless when nothing is."""
        acts: Acts = ()
        for step in (self._beat, self._ask, self._come_back, self._regroup):
            if self.phase is not Phase.CLOSED:
                acts += step(now)
        return acts

    def _beat(self, now: float) -> Acts:
        if self._heart.due is None or now < self._heart.due:
            return ()
        if self._heart.beat(now):
            return (opening.heartbeat(now=now, seq_ack=self._seq_ack),)
        self._offline()
        return Abort(), *self._broken(None, close_codes.LOST, now)

    def _ask(self, now: float) -> Acts:
        if self._opening_until is not None and now >= self._opening_until:
            return self._ended(None, close_codes.OPENING_TIMED_OUT)
        if self._discovery is None or now < self._discovery.due:
            return ()
        return self._discovery.ask(now) or self._ended(None, close_codes.UDP_UNREACHABLE)

    def _come_back(self, now: float) -> Acts:
        step = self._comeback.step(now)
        if step is Step.GIVE_UP:
            return self._ended(None, close_codes.RESUME_FAILED, abort=not self._comeback.resting)
        return (Connect(),) if step is Step.CONNECT else ()

    def _regroup(self, now: float) -> Acts:
        return self._settled(self._grouping.tick(now))

    def _heard(self, seq: int | None, letter: letters.Letter | None, now: float) -> Acts:
        self._seq_ack = self._seq_ack if seq is None else seq
        if letter is None:
            return ()
        if isinstance(letter, letters.GroupLetter):
            return self._settled(self._grouping.take(letter, now))
        return self._read(letter, now)

    def _read(self, letter: letters.LineLetter, now: float) -> Acts:
        match letter:
            case letters.Hello():
                self._heart.hello(letter.beat, now)
            case letters.Acknowledged():
                self._heart.acknowledged()
            case letters.Ready():
                return self._ready(letter, now)
            case letters.Description():
                return self._described(letter, now)
            case letters.Reunited():
                return self._reunited(now)
            case letters.Stream():
                return self._people.stream(letter)
            case letters.Came():
                return self._people.came(letter) + self._grouping.came(letter.users, now)
            case letters.Went():
                self._grouping.went(letter.user)
                return self._people.went(letter)
            case _:
                assert_never(letter)
        return ()

    def _ready(self, letter: letters.Ready, now: float) -> Acts:
        if self.phase is not Phase.IDENTIFIED:
            return ()
        mode = opening.choose(letter.modes, self._modes)
        if mode is None:
            return self._ended(None, close_codes.NO_COMMON_MODE)
        self.phase = Phase.DISCOVERING
        self._ssrc = letter.ssrc
        self._discovery = Discovery(letter.ssrc, mode)
        return OpenUdp(ip=letter.ip, port=letter.port), *self._discovery.ask(now)

    def _described(self, letter: letters.Description, now: float) -> Acts:
        if self.phase not in (Phase.SELECTING, Phase.UP):
            return ()
        if letter.mode not in self._modes:
            return self._ended(None, close_codes.NO_COMMON_MODE)
        self.phase = Phase.UP
        self._opening_until = None
        up = Up(
            ssrc=self._ssrc, mode=letter.mode, secret_key=letter.secret_key, dave_version=letter.dave_version
        )
        group = self._grouping.described(letter.dave_version, now)
        return up, *self.speaking(self._speaking, now), *group

    def _reunited(self, now: float) -> Acts:
        if self.phase is not Phase.RESUMING:
            return ()
        self.phase = Phase.UP
        ms, tries = self._comeback.succeeded(now)
        group = self._grouping.resumed(now)
        return Resumed(ms=ms, tries=tries), *self.speaking(self._speaking, now), *group

    def _offline(self) -> None:
        self._online = False
        self._heart.stop()
        self._grouping.offline()

    def _broken(self, code: int | None, found: Verdict, now: float) -> Acts:
        """There is no websocket any more: what that means for the line."""
        if found.plan is not Plan.RESUME or self.phase not in (Phase.UP, Phase.RESUMING):
            return self._ended(code, found, abort=False)
        if self.phase is Phase.UP:
            self.phase = Phase.RESUMING
            self._comeback.broke(now)
        elif not self._comeback.failed(now):
            return self._ended(code, close_codes.RESUME_FAILED, abort=False)
        return self._come_back(now)

    def _ended(self, code: int | None, found: Verdict, *, abort: bool = True) -> Acts:
        """The line is over. Where only a resume would have helped, its owner begins anew."""
        self._offline()
        self.phase = Phase.CLOSED
        plan = Plan.FRESH if found.plan is Plan.RESUME else found.plan
        lost = Lost(code=code, plan=plan, reason=found.reason, remedy=found.remedy)
        return (Abort(), lost) if abort else (lost,)

    def _settled(self, acts: Acts) -> Acts:
        failed = self._grouping.failed
        return acts if failed is None else acts + self._ended(None, failed)
