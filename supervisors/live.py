"""The house on Discord: the account and the sound are real, all else is what it is in the local room."""

from __future__ import annotations

from actors.clock import SystemClock
from actors.console.live import LiveConsole
from actors.net.loop import IoLoop
from actors.realtime.script import Script
from actors.switchboard import Switchboard
from supervisors.house import House
from supervisors.local import LOOP_STOP_SECONDS, embedded_ports
from supervisors.settings import Settings
from supervisors.speech import LocalSpeech


def discord_house(settings: Settings, token: str, speech: LocalSpeech, script: Script | None = None) -> House:
    """Return a house whose account goes to Discord with `token`; `script` is a rehearsal's."""
    from actors.gateway.live.account import LiveAccount
    from actors.voice.live import LiveVoiceLink

    loop, clock, switchboard = IoLoop(), SystemClock(), Switchboard()
    loop.start()

    def close() -> None:
        loop.stop(LOOP_STOP_SECONDS)
        speech.close()

    ports = embedded_ports(
        settings,
        speech,
        clock,
        console=lambda: LiveConsole(loop, settings.console),
        script=script,
        gateway=lambda: LiveAccount(loop, switchboard, token),
        voice=lambda: LiveVoiceLink(switchboard, loop, settings.voice),
    )
    return House(settings, ports, clock, close)
