"""Both of ElevenLabs' sockets say the same few things, in one spelling or the other."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Annotated, Final, TypeAlias

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, FiniteFloat

from actors.net.plain import plain_json
from actors.net.reasons import of_code

_LENIENT = ConfigDict(extra="ignore", hide_input_in_errors=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One character, and where its sound ends: milliseconds from the beginning of the chunk's."""

    sign: str = field(repr=False)
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """News of one context: perhaps sound (24 kHz mono, any number of bytes), perhaps the end of something."""

    context: str
    pcm: bytes = field(default=b"", repr=False)
    letters: tuple[Letter, ...] = ()
    turn_over: bool = False
    """A flush has been answered in full."""
    over: bool = False
    """The context is no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The provider will not go on, and hangs up. `reason` is a bounded code."""

    reason: str


Frame: TypeAlias = Heard | Refusal | None
"""None is a frame that says nothing to us."""


_A_DAY: Final = 86_400_000.0
_Milliseconds: TypeAlias = Annotated[FiniteFloat, Field(ge=-_A_DAY, le=_A_DAY)]


class _Alignment(BaseModel):
    model_config = _LENIENT

    chars: list[str] | None = None
    starts: list[_Milliseconds] | None = Field(
        default=None, validation_alias=AliasChoices("charStartTimesMs", "char_start_times_ms")
    )
    lengths: list[_Milliseconds] | None = Field(
        default=None, validation_alias=AliasChoices("charDurationsMs", "char_durations_ms")
    )

    def letters(self) -> tuple[Letter, ...]:
        timed = zip(self.chars or (), self.starts or (), self.lengths or (), strict=False)
        return tuple(Letter(sign=sign, end=start + length) for sign, start, length in timed)


class _Message(BaseModel):
    model_config = _LENIENT

    audio: str | None = None
    alignment: _Alignment | None = None
    context: str | None = Field(default=None, validation_alias=AliasChoices("contextId", "context_id"))
    over: bool | None = Field(default=None, validation_alias=AliasChoices("isFinal", "is_final"))
    turn_over: bool | None = Field(
        default=None, validation_alias=AliasChoices("isFinalAudioForTurn", "is_final_audio_for_turn")
    )
    error: object = None
    code: object = None


def decode(text: str) -> Frame:
    """Read a frame; raises ValueError, which quotes nothing of it, for what is none."""
    message = _Message.model_validate_json(plain_json(text))
    if message.error is not None or message.code is not None:
        return Refusal(reason=of_code(message.error if isinstance(message.error, str) else None))
    if message.context is None:
        return None
    return Heard(
        context=message.context,
        pcm=base64.b64decode(message.audio or "", validate=True),
        letters=message.alignment.letters() if message.alignment is not None else (),
        turn_over=bool(message.turn_over),
        over=bool(message.over),
    )
