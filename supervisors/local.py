"""A house around one room in this process, for whoever has no account yet, and for rehearsals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from actors.clock import SystemClock
from actors.gateway.local import LocalAccount
from actors.local_room import LocalRoom
from actors.meter.live import Board, LiveMeter
from actors.net.loop import IoLoop
from messages.ids import RoomId
from supervisors.house import House
from supervisors.providers import Outside, Providers
from supervisors.secrets import NO_KEYS, Keys
from supervisors.settings import Settings, Tables
from supervisors.speech import LocalSpeech

if TYPE_CHECKING:
    from actors.captain.script import CaptainScript
    from actors.console.live.server import LiveConsole
    from actors.console.port import ConsolePort
    from actors.realtime.script import Script
    from actors.voice.local import LocalVoiceLink

ROOM = RoomId("local")
LOOP_STOP_SECONDS = 2.0
HOSPITABLE: Final[Tables] = {"authority": {"join_policy": "guild_members"}}
"""Where nothing else is set, whoever sits in the only room there is may have him come and go."""


def local_house(settings: Settings, keys: Keys = NO_KEYS) -> House:
    """Return a house whose console listens and whose one room waits for people."""
    loop, speech, room, board = IoLoop(), LocalSpeech(settings), LocalRoom(ROOM), Board()

    def close() -> None:
        loop.stop(LOOP_STOP_SECONDS)
        speech.close()

    def console() -> LiveConsole:
        from actors.console.live.server import LiveConsole
        from actors.console.live_room import Seats

        seats = Seats(loop, room, speech.opus_library)
        return LiveConsole(loop, settings.console, room=seats, metrics=board.text)

    return room_house(settings, keys, room, speech, loop, board, console=console, close=close, own_room=True)


def room_house(
    settings: Settings,
    keys: Keys,
    room: LocalRoom,
    speech: LocalSpeech,
    loop: IoLoop,
    board: Board,
    *,
    console: Callable[[], ConsolePort],
    close: Callable[[], object],
    script: Script | None = None,
    captain_script: CaptainScript | None = None,
    own_room: bool = False,
) -> House:
    """Return a house around `room`; its end calls `close`, which has to stop the loop."""
    loop.start()
    clock, providers = SystemClock(), Providers(settings, speech, loop, keys, script, captain_script)

    def voice() -> LocalVoiceLink:
        from actors.voice.local import LocalVoiceLink

        return LocalVoiceLink(room, settings.voice, opus_library=speech.opus_library)

    outside = Outside(
        gateway=lambda: LocalAccount(room),
        voice=voice,
        meter=lambda: LiveMeter(board, settings.telemetry),
        console=console,
        own_room=own_room,
    )
    return House(settings, providers.ports(outside, clock), clock, close, home=room.id)
