"""What playback remembers of each utterance from its queueing to its one end."""

from __future__ import annotations

from dataclasses import dataclass

from actors.playback.heard import Aligned
from actors.playback.settings import PlaybackSettings
from actors.playback.sound import NOTHING, Waiting
from messages.ids import StayId, Token, TurnId, UtteranceId

_NO_TIMER = Token(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """One utterance. Times are monotonic seconds, `size` bytes, `given` and `sent` frames."""

    utterance: UtteranceId
    turn: TurnId
    queued_at: float
    waiting: Waiting = NOTHING
    size: int = 0
    """All sound that ever came."""
    aligned: tuple[Aligned, ...] = ()
    ended: bool = False
    """No more sound is coming."""
    broken: str | None = None
    """Why the synthesizer gave up, if it did."""
    unheard: str = ""
    """The text that it never synthesized."""
    hungry: bool = False
    """The synthesizer waits to be asked for more."""
    since: float | None = None
    """When its turn to be spoken came, moved on by every pause; None while others are before it."""
    begun: bool = False
    """Sound was given to the voice link."""
    given: int = 0
    sent: int = 0
    end_told: bool = False
    started: bool = False
    held_since: float | None = None
    cut_at: float | None = None
    cut_because: str | None = None
    """What goes on record as the reason of the cut, where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All utterances in hand, the one whose turn it is first; `gone` names the last ones that are over."""

    settings: PlaybackSettings
    stay: StayId
    speeches: tuple[Speech, ...] = ()
    gone: tuple[UtteranceId, ...] = ()
    token: Token = _NO_TIMER
    watch: Token = _NO_TIMER
    """The timer of the deadline of the first utterance."""
    growth: Token = _NO_TIMER
    """The timer of the growth of its sound."""
    underruns: int = 0
    old_letters: int = 0

    def named(self, utterance: UtteranceId) -> Speech | None:
        """This utterance, while it is in hand."""
        return next((speech for speech in self.speeches if speech.utterance == utterance), None)
