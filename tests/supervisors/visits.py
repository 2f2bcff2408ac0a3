"""Visits of the doctor to providers on loopback, and what he came back with."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Final

from actors.gateway.port import Finding
from actors.net.service import Service
from supervisors.commands import providers
from supervisors.commands.sample import SENTENCES
from supervisors.secrets import Keys
from supervisors.settings import Settings, Tables, load
from tests.loopback.elevenlabs.server import PROSE as OTHER_PROSE
from tests.loopback.elevenlabs.server import ElevenLabs
from tests.loopback.humming import hum
from tests.loopback.openai.chat import Call
from tests.loopback.openai.mind import Asked, Reply
from tests.loopback.openai.minds import Brains
from tests.loopback.openai.refusals import PROSE
from tests.loopback.openai.server import OpenAi

CHAT: Final = {"provider": "chat", "model": "gpt-6-luna"}
SOON: Final = 1.5
"""How long a step may take here, where something never comes."""


def obedient(asked: Asked) -> Reply:
    """Call whatever tool there is."""
    return Reply(calls=(Call(name=asked.tools[0]),)) if asked.tools else Reply(pieces=("Ready.",))


def settings(openai: Service | None = None, elevenlabs: Service | None = None, **tables: object) -> Settings:
    """A configuration; the tables of the providers themselves are filled in."""
    address = {"base_url": openai.base_url} if openai else {}
    other = {"base_url": elevenlabs.base_url} if elevenlabs else {}
    known: dict[str, object] = {"openai": address, "elevenlabs": other, **tables}
    merged: Tables = {name: table for name, table in known.items() if isinstance(table, dict)}
    return load(None, merged)


def of_openai(openai: OpenAi, *, seconds: float = 10.0, **tts: object) -> list[Finding]:
    """Ears, mind and mouth are OpenAI's."""
    chosen = {"provider": "openai"}
    config = settings(openai.service, capture=chosen, realtime=chosen, tts={**chosen, **tts})
    return list(providers.findings(config, Keys(openai=openai.key), seconds))


def of_chat(openai: OpenAi, *, key: str | None = None) -> list[Finding]:
    """His mind is a chat server's."""
    realtime = {**CHAT, "base_url": openai.service.base_url}
    return list(providers.findings(settings(realtime=realtime), Keys(chat=key or openai.key)))


def of_elevenlabs(openai: OpenAi, elevenlabs: ElevenLabs, **tts: object) -> list[Finding]:
    """His voice is ElevenLabs', and OpenAI writes it down."""
    config = settings(
        openai.service,
        elevenlabs.service,
        capture={"provider": "openai"},
        tts={"provider": "elevenlabs", **tts},
    )
    keys = Keys(openai=openai.key, elevenlabs=elevenlabs.service.key)
    return list(providers.findings(config, keys))


def sick(findings: list[Finding]) -> list[tuple[str, str, str]]:
    """Name, words and remedy of what is wrong; nothing that was said or written stands in any of them."""
    told = json.dumps([asdict(finding) for finding in findings])
    for secret in (PROSE, OTHER_PROSE, SENTENCES["en"], "lamp", "sk-", "xi-loopback", "Ordered"):
        assert secret not in told
    assert all(finding.ok or finding.remedy for finding in findings)
    assert not any("\n" in finding.says + finding.remedy for finding in findings)
    return [(finding.name, finding.says, finding.remedy) for finding in findings if not finding.ok]


def says(findings: list[Finding], name: str) -> str:
    """The words of the one finding of this name."""
    (words,) = [finding.says for finding in findings if finding.name == name]
    return words


def able() -> OpenAi:
    """An OpenAI that does what the doctor hopes for."""
    return OpenAi(brains=Brains(think=obedient, speak=hum, hear=lambda _: SENTENCES["en"].lower()))
