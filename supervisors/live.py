"""The house on Discord: only the account and the sound are other than in the local room."""

from __future__ import annotations

import importlib
from dataclasses import fields, replace
from urllib.parse import urlsplit

from actors.captain.script import CaptainScript
from actors.clock import SystemClock
from actors.console.live.server import LiveConsole
from actors.evidence.settings import LOOPBACK, OnDiscord
from actors.gateway.live.account import LiveAccount
from actors.gateway.live.replies import Disclosure
from actors.meter.live import Board, LiveMeter
from actors.net.loop import IoLoop
from actors.net.service import is_loopback
from actors.realtime.script import Script
from actors.switchboard import Switchboard
from actors.voice.live.link import LiveVoiceLink
from supervisors.accounts import DiscordSettings
from supervisors.house import House
from supervisors.local import LOOP_STOP_SECONDS
from supervisors.paths import at_home
from supervisors.providers import Outside, Providers, companies
from supervisors.secrets import NO_KEYS, Keys
from supervisors.settings import Settings
from supervisors.speech import LocalSpeech


def discord_house(
    settings: Settings,
    token: str,
    speech: LocalSpeech,
    script: Script | None = None,
    keys: Keys = NO_KEYS,
    captain_script: CaptainScript | None = None,
) -> House:
    """Return a house whose account goes to Discord with `token`; the scripts are a rehearsal's."""
    # discord.py takes its second to import, ten on a busy machine, which no account has for its opening.
    importlib.import_module("actors.gateway.live.session")
    settings = signed(settings, rehearsed=script is not None or captain_script is not None)
    clock, board, discord = SystemClock(), Board(), _Discord(settings, token, speech)
    discord.loop.start()
    providers = Providers(settings, speech, discord.loop, keys, script, captain_script)
    outside = Outside(
        gateway=discord.account,
        voice=discord.link,
        meter=lambda: LiveMeter(board, settings.telemetry),
        console=lambda: LiveConsole(discord.loop, settings.console, metrics=board.text),
    )
    return House(settings, providers.ports(outside, clock), clock, discord.close)


def signed(settings: Settings, *, rehearsed: bool = False) -> Settings:
    """The same settings; receipts say that they are of Discord, where they are.

    A rehearsal never is, nor is whatever a proxy on this machine shows with a certificate of its own.
    """
    kept = {each.name: getattr(settings.evidence, each.name) for each in fields(settings.evidence)}
    evidence = OnDiscord(**kept)
    if rehearsed or _is_shown_here(settings.discord):
        evidence = replace(evidence, origin=LOOPBACK)
    return settings.model_copy(update={"evidence": evidence})


def _is_shown_here(discord: DiscordSettings) -> bool:
    if discord.ca_file is None or discord.proxy is None:
        return False
    return is_loopback(urlsplit(discord.proxy).hostname or "")


class _Discord:
    """What the account and every voice link share."""

    def __init__(self, settings: Settings, token: str, speech: LocalSpeech) -> None:
        self.loop = IoLoop()
        self._settings, self._token, self._speech = settings, token, speech
        self._switchboard = Switchboard()
        self._ca_file = settings.discord.ca_file and at_home("[discord] ca_file", settings.discord.ca_file)

    def account(self) -> LiveAccount:
        """The gateway's port."""
        settings = self._settings
        disclosure = Disclosure(
            providers=companies(settings),
            transcripts_kept=settings.evidence.transcripts,
            everybody=settings.stay.consent_policy == "presence",
            kept_days=settings.captain.keep_days,
        )
        return LiveAccount(
            self.loop,
            self._switchboard,
            self._token,
            proxy=settings.discord.proxy,
            ca_file=self._ca_file,
            activity=settings.discord.activity,
            message_content=settings.discord.read_messages,
            disclosure=disclosure,
            join_seconds=settings.gateway.join_seconds,
        )

    def link(self) -> LiveVoiceLink:
        """A voice link's port."""
        return LiveVoiceLink(
            self._switchboard,
            self.loop,
            self._settings.voice,
            ca_file=self._ca_file,
            proxy=self._settings.discord.proxy,
            opus_library=self._speech.opus_library,
        )

    def close(self) -> None:
        """Stop the thread of all sockets, then the models'."""
        self.loop.stop(LOOP_STOP_SECONDS)
        self._speech.close()
