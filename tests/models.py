"""The local models, loaded once for all tests of a process, because that is what takes the time."""

from functools import cache

from actors.audio.vad import Silero
from actors.audio.voice import LocalVoice
from actors.audio.whisper import Whisper


@cache
def whisper() -> Whisper:
    """tiny.en, knowing no name."""
    return Whisper()


@cache
def whisper_that_knows_clankie() -> Whisper:
    """tiny.en that can spell the character's name."""
    return Whisper(names=("Clankie",))


@cache
def silero() -> Silero:
    """The network behind every VoiceActivity."""
    return Silero()


@cache
def voice() -> LocalVoice:
    """The local voice; only one thread at a time."""
    return LocalVoice()
