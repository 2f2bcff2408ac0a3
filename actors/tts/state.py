"""What the synthesizer's room remembers of each utterance."""

from __future__ import annotations

from dataclasses import dataclass

from actors.tts.settings import TtsSettings
from messages.ids import Connection, StayId, Token, TurnId, UtteranceId
from messages.usage import Spending

_FIRST = Connection(1)
_NO_TIMER = Token(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """One utterance on its way from text to sound."""

    utterance: UtteranceId
    turn: TurnId
    text: str = ""
    """What is not speakable yet."""
    units: tuple[str, ...] = ()
    """What is speakable and waits."""
    text_ended: bool = False
    wanted: bool = True
    """Whether playback has room for another unit."""
    speaking: str | None = None
    """The unit in flight."""
    left: str = ""
    """What of it playback has not yet been told the place of."""
    unit: int = 0
    """Its number, or that of the next one."""
    connection: Connection = _FIRST
    """Where it is in flight, or last was."""
    silent: bool = True
    """No sound of the unit in flight has come yet."""
    sounded: bool = False
    """Some sound of the utterance has come, and it cannot be begun again."""
    retried: bool = False
    broken: str | None = None
    """Why it failed, while the rest of its text is awaited."""
    spent: Spending | None = None
    """What was given to be spoken of it, and is on record once it is over."""
    token: Token = _NO_TIMER


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All utterances in hand; `gone` names the last ones that are over, of which nothing is heard again."""

    settings: TtsSettings
    stay: StayId
    connection: Connection = _FIRST
    token: Token = _NO_TIMER
    speeches: tuple[Speech, ...] = ()
    gone: tuple[UtteranceId, ...] = ()
    old_letters: int = 0

    def named(self, utterance: UtteranceId) -> Speech | None:
        """This utterance, while it is in hand."""
        return next((speech for speech in self.speeches if speech.utterance == utterance), None)
