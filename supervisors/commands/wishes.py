"""Which of OpenAI's models he would use, and at which of its sockets."""

from __future__ import annotations

from actors.captain.settings import MODEL as SLOW_THINKER
from actors.capture.live import hello
from actors.net.checkup.knock import Door
from actors.net.service import Service
from actors.realtime.live import letters
from actors.realtime.live.letters import MODEL as THINKER
from actors.realtime.settings import RealtimeSettings
from actors.tts.live.openai import MODEL as SPEAKER
from actors.tts.settings import TtsSettings
from supervisors.commands.questions import Wanted
from supervisors.settings import Settings


def wishes(settings: Settings, service: Service) -> tuple[Wanted, ...]:
    """What every room would use if it were to use OpenAI."""
    return (
        hears(settings, service),
        thinks(settings.realtime, service),
        speaks(settings.tts),
        Wanted(table="captain", model=settings.captain.model or SLOW_THINKER),
    )


def hears(settings: Settings, service: Service) -> Wanted:
    """OpenAI's ears: their socket refuses a model only when it is greeted."""
    capture, floor = settings.capture, settings.floor
    greeting = hello.hello(capture, (floor.name, *floor.aliases))
    return Wanted(
        table="capture",
        model=capture.model,
        door=Door(target=hello.target(service), greeting=greeting),
    )


def thinks(realtime: RealtimeSettings, service: Service) -> Wanted:
    """OpenAI's mind: its socket may know the model and not what is wished of it."""
    model = realtime.model or THINKER
    greeting = letters.session_update("knock", "", realtime)
    return Wanted(
        table="realtime",
        model=model,
        door=Door(target=letters.target(service, model), greeting=greeting),
    )


def speaks(tts: TtsSettings) -> Wanted:
    """OpenAI's mouth, which has no socket."""
    return Wanted(table="tts", model=tts.model or SPEAKER)
