"""The house on Discord: the account and the sound are real, all else is what it is in the local room."""

from __future__ import annotations

from pathlib import Path

from actors.clock import SystemClock
from actors.console.live import LiveConsole
from actors.gateway.live.account import LiveAccount
from actors.gateway.live.replies import Disclosure
from actors.net.loop import IoLoop
from actors.realtime.script import Script
from actors.switchboard import Switchboard
from actors.voice.live.link import LiveVoiceLink
from supervisors.house import House
from supervisors.local import LOOP_STOP_SECONDS, embedded_ports
from supervisors.settings import Settings
from supervisors.speech import LocalSpeech


def discord_house(settings: Settings, token: str, speech: LocalSpeech, script: Script | None = None) -> House:
    """Return a house whose account goes to Discord with `token`; `script` is a rehearsal's."""
    loop, clock, switchboard = IoLoop(), SystemClock(), Switchboard()
    ca_file = _in_full(settings.discord.ca_file)
    loop.start()

    def close() -> None:
        loop.stop(LOOP_STOP_SECONDS)
        speech.close()

    def account() -> LiveAccount:
        return LiveAccount(
            loop,
            switchboard,
            token,
            proxy=settings.discord.proxy,
            ca_file=ca_file,
            activity=settings.discord.activity,
            message_content=settings.discord.read_messages,
            disclosure=Disclosure(
                transcripts_kept=settings.evidence.transcripts,
                everybody=settings.stay.consent_policy == "presence",
            ),
            join_seconds=settings.gateway.join_seconds,
        )

    def link() -> LiveVoiceLink:
        return LiveVoiceLink(
            switchboard,
            loop,
            settings.voice,
            ca_file=ca_file,
            proxy=settings.discord.proxy,
            opus_library=speech.opus_library,
        )

    ports = embedded_ports(
        settings,
        speech,
        clock,
        console=lambda: LiveConsole(loop, settings.console),
        script=script,
        gateway=account,
        voice=link,
    )
    return House(settings, ports, clock, close)


def _in_full(path: Path | None) -> Path | None:
    return path and path.expanduser()
