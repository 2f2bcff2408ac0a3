"""`clankie doctor`, the providers' part: who of those that he is to use would have him, and how fast."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Final

from actors.audio.models import package_folder
from actors.captain.settings import MODEL as SLOW_THINKER
from actors.gateway.port import Finding
from actors.net.checkup.asking import STEP_SECONDS, Asking
from actors.net.checkup.knock import Door
from actors.net.service import Service
from actors.net.ways import NoWay
from actors.tts.live import dialects
from actors.tts.live.openai import MODEL as SPEAKER
from actors.tts.live.openai import VOICE, is_plain_sound, manner
from supervisors.commands import prescriptions
from supervisors.commands.apparatus import complaint
from supervisors.commands.questions import Mind, Wanted, completed, of_elevenlabs, of_openai, of_server
from supervisors.commands.sample import (
    SENTENCES,
    Ears,
    Mouth,
    language_of,
    local_ears,
    local_mouth,
    sample,
    writer_of,
)
from supervisors.commands.wishes import wishes
from supervisors.preflight import EMBEDDED, check_trust, check_ways, chosen_providers
from supervisors.secrets import Keys
from supervisors.settings import BadConfig, Settings
from supervisors.speech import LocalSpeech

if TYPE_CHECKING:
    from actors.net.checkup.openai import OpenAiDesk

LIBRARIES: Final = {
    "openai": ("openai", "websockets"),
    "chat": ("openai",),
    "responses": ("openai",),
    "elevenlabs": ("elevenlabs", "websockets"),
}
"""By provider, what it is asked with."""


def findings(
    settings: Settings,
    keys: Keys,
    seconds: float = STEP_SECONDS,
    tell: Callable[[str], object] = lambda _: None,
) -> Iterator[Finding]:
    """Look at every provider that is to be used, each step within `seconds`; others are left alone.

    `tell` is told what is asked, before it is.
    """
    chosen = [one for one in chosen_providers(settings).values() if one not in EMBEDDED]
    needed = {library for one in chosen for library in LIBRARIES[one]}
    missing = sorted(one for one in needed if package_folder(one) is None)
    if missing:
        says = f"{', '.join(missing)} is not installed"
        yield Finding(name="providers", ok=False, says=says, remedy=prescriptions.INSTALL)
    elif not chosen:
        yield prescriptions.well("providers", "none: he hears, thinks and speaks on this machine")
    elif (blocked := _blocked(settings)) is not None:
        yield blocked
    else:
        with Asking(seconds, tell) as asking:
            try:
                yield from _Round(settings, keys, asking).findings()
            except NoWay as error:
                remedy = 'write one like "https://api.example.com/v1"'
                yield Finding(name="address", ok=False, says=str(error), remedy=remedy)


def _blocked(settings: Settings) -> Finding | None:
    for name, check in (("proxy", check_ways), ("certificates", check_trust)):
        try:
            check(settings)
        except BadConfig as error:
            return complaint(name, error)
    return None


class _Round:
    """One visit to all providers; those that would have him lend the mouth and the ears of the sample."""

    def __init__(self, settings: Settings, keys: Keys, asking: Asking) -> None:
        self._settings, self._keys, self._asking = settings, keys, asking
        self._mouth: Mouth | None = None
        self._ears: Ears | None = None

    def findings(self) -> Iterator[Finding]:
        """Ask everybody who is to be used, then try mouth and ears together."""
        settings = self._settings
        if "openai" in chosen_providers(settings).values():
            yield from self._openai()
        if settings.realtime.provider == "chat":
            yield from self._chat()
        if settings.captain.base_url is not None:
            yield from self._responses(settings.captain.base_url)
        if settings.tts.provider == "elevenlabs":
            yield from self._elevenlabs()
        yield from self._sample()

    def _openai(self) -> Iterator[Finding]:
        settings, key = self._settings, self._keys.openai
        company = prescriptions.openai(settings.openai.base_url)
        if key is None:
            yield prescriptions.no_key("openai key", company)
            return
        service, chosen = Service(base_url=settings.openai.base_url, key=key), chosen_providers(settings)
        wanted = [one for one in wishes(settings, service) if chosen[one.table] == "openai"]
        desk = self._desk(service)
        there = yield from of_openai(self._asking, desk, company, wanted)
        if there is not None:
            self._lend(desk, company)
            if "captain" in there:
                mind = self._captain(desk, company)
                yield completed(self._asking, desk, mind) or prescriptions.lost("captain model", company)

    def _captain(self, desk: OpenAiDesk, company: prescriptions.Company) -> Mind:
        return Mind(
            company=company,
            table="captain",
            model=self._settings.captain.model or SLOW_THINKER,
            complete=desk.respond,
            without="he only talks, and does nothing",
        )

    def _responses(self, address: str) -> Iterator[Finding]:
        company = prescriptions.responses(address)
        desk = self._desk(Service(base_url=address, key=self._keys.captain or ""))
        yield from of_server(self._asking, desk, self._captain(desk, company))

    def _lend(self, desk: OpenAiDesk, company: prescriptions.Company) -> None:
        """Take OpenAI's mouth and ears, where they are to be used."""
        from actors.net.checkup.openai import Wish

        tts, capture, ask = self._settings.tts, self._settings.capture, self._asking.ask
        model, voice = tts.model or SPEAKER, tts.voice or VOICE
        if tts.provider == "openai":
            wish = partial(Wish, model=model, voice=voice, manner=manner(model, tts), is_sound=is_plain_sound)
            self._mouth = Mouth(
                company=company,
                speak=lambda text: ask(partial(desk.speak, wish(text=text)), desk.reason_of),
                unproved_voice=voice,
            )
        if capture.provider == "openai":
            writer = writer_of(capture.model)
            self._ears = Ears(
                company=company,
                name=prescriptions.printable(writer),
                write_down=lambda pcm: ask(partial(desk.write_down, writer, pcm), desk.reason_of),
                stands_in=writer != capture.model,
            )

    def _chat(self) -> Iterator[Finding]:
        realtime = self._settings.realtime
        company = prescriptions.chat(realtime.base_url or "")
        desk = self._desk(Service(base_url=realtime.base_url or "", key=self._keys.chat or ""))
        mind = Mind(
            company=company,
            table="realtime",
            model=realtime.model or "",
            complete=desk.complete,
            without="he never leaves and hands nothing over",
        )
        yield from of_server(self._asking, desk, mind)

    def _elevenlabs(self) -> Iterator[Finding]:
        from actors.net.checkup.elevenlabs import ElevenLabsDesk, Wish

        tts, key, address = self._settings.tts, self._keys.elevenlabs, self._settings.elevenlabs.base_url
        company = prescriptions.elevenlabs(address)
        if key is None:
            yield prescriptions.no_key("elevenlabs key", company)
            return
        service = Service(base_url=address, key=key)
        desk = ElevenLabsDesk(service, self._asking.seconds)
        self._asking.at_the_end(desk.close)
        model, voice = tts.model or dialects.MODEL, tts.voice or dialects.VOICE
        dialect = dialects.dialect_of(tts)
        wanted = Wanted(table="tts", model=model, door=Door(target=dialect.target(service)))
        if (yield from of_elevenlabs(self._asking, desk, company, voice, wanted)):
            wish = partial(
                Wish,
                model=model,
                voice=voice,
                language=None if model == "eleven_multilingual_v2" else language_of(self._settings),
                stability=tts.stability,
                similarity=tts.similarity,
                speed=tts.speed,
                dialogue=isinstance(dialect, dialects.Dialogue),
            )
            ask = self._asking.ask
            self._mouth = Mouth(
                company=company,
                speak=lambda text: ask(partial(desk.speak, wish(text=text)), desk.reason_of),
            )

    def _sample(self) -> Iterator[Finding]:
        settings = self._settings
        if settings.tts.provider == settings.capture.provider == "local":
            return
        with closing(LocalSpeech(settings)) as speech:
            mouth, ears = self._mouth, self._ears
            if settings.tts.provider == "local" and ears is not None:
                mouth = local_mouth(speech, settings.tts.pitch)
            if settings.capture.provider == "local":
                ears = local_ears(speech)
            if mouth is not None:
                self._asking.tell("a sentence, spoken and written down")
                yield from sample(SENTENCES[language_of(settings)], mouth, ears)

    def _desk(self, service: Service) -> OpenAiDesk:
        from actors.net.checkup.openai import OpenAiDesk

        desk = OpenAiDesk(service, self._asking.seconds)
        self._asking.at_the_end(desk.close)
        return desk
