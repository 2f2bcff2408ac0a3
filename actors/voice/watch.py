"""A link that is up may be deaf, mute or astray: what arrives has to be heard, what waits has to leave."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from actors.voice.settings import VoiceSettings
from messages.voice import LinkPulse

DEAF: Final = "deaf"
MUTE: Final = "mute"
ASTRAY: Final = "astray"
ASTRAY_SECONDS: Final = 6.0
"""Longer than a move to another server takes: whom he may hear is in the room, and not on his server."""
LONGEST_BEAT: Final = 2.0
"""More than this between two pulses is a house that was held up, not a link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What the last pulse said; `deaf`, `mute` and `astray` are seconds of trouble; pauses end no deafness.

    `told` are the troubles that the link was reopened for once and that are not over.
    """

    last: LinkPulse | None = None
    at: float = 0.0
    deaf: float = 0.0
    mute: float = 0.0
    astray: float = 0.0
    told: frozenset[str] = frozenset()


def renewed(watch: Watch) -> Watch:
    """Another connection counts from nothing."""
    return Watch(told=watch.told)


def pulse(
    watch: Watch, event: LinkPulse, settings: VoiceSettings, now: float, hears: bool
) -> tuple[Watch, str | None]:
    """One pulse at monotonic second `now`; and the trouble that has just become certain.

    `hears` says whether somebody is in the room who may be heard.
    """
    last = watch.last
    watch, beat = replace(watch, last=event, at=now), min(now - watch.at, LONGEST_BEAT)
    if last is None:
        return watch, None
    if event.decoded > last.decoded:
        watch = replace(watch, deaf=0.0, told=watch.told - {DEAF})
    elif event.arrived > last.arrived:
        watch = replace(watch, deaf=watch.deaf + beat)
    if event.sent > last.sent:
        watch = replace(watch, mute=0.0, told=watch.told - {MUTE})
    elif event.waiting:
        watch = replace(watch, mute=watch.mute + beat)
    else:
        watch = replace(watch, mute=0.0)
    if event.alone and hears:
        watch = replace(watch, astray=watch.astray + beat)
    else:
        watch = replace(watch, astray=0.0, told=watch.told - {ASTRAY})
    return _certain(watch, settings)


def _certain(watch: Watch, settings: VoiceSettings) -> tuple[Watch, str | None]:
    certain = (
        (DEAF, watch.deaf >= settings.deaf_seconds),
        (MUTE, watch.mute >= settings.mute_seconds),
        (ASTRAY, watch.astray >= ASTRAY_SECONDS),
    )
    for trouble, is_certain in certain:
        if is_certain and trouble not in watch.told:
            return replace(watch, told=watch.told | {trouble}), trouble
    return watch, None
