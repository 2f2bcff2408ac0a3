"""Everything on its embedded port: a room in this process, local speech, no account and no key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from actors.captain.local import LocalCaptain
from actors.capture.local import LocalActivity, LocalTranscriber
from actors.clock import SystemClock
from actors.console.live import LiveConsole
from actors.console.local import ClosedConsole
from actors.console.port import ConsolePort
from actors.evidence.local import LocalSink
from actors.gateway.local import LocalAccount
from actors.gateway.port import GatewayPort
from actors.local_room import LocalRoom
from actors.net.loop import IoLoop
from actors.realtime.local import LocalBrain
from actors.realtime.script import Script, ScriptedReply
from actors.tts.local import LocalSynthesizer
from actors.voice.local import LocalVoiceLink
from actors.voice.port import VoicePort
from messages.ids import RoomId
from supervisors.house import House
from supervisors.preflight import check_notes
from supervisors.rehearsal.scenario import ReplyEntry
from supervisors.rehearsal.stage import Overrides
from supervisors.settings import BadConfig, Settings, load
from supervisors.speech import LocalSpeech
from supervisors.wiring import Ports

ROOM = RoomId("local")
REHEARSAL = RoomId("rehearsal")
LOOP_STOP_SECONDS = 2.0


def embedded_ports(
    settings: Settings,
    speech: LocalSpeech,
    clock: SystemClock,
    *,
    console: Callable[[], ConsolePort],
    script: Script | None,
    gateway: Callable[[], GatewayPort],
    voice: Callable[[], VoicePort],
) -> Ports:
    """Return ports that need nothing but this machine, beside the account and the sound that are given."""
    return Ports(
        gateway=gateway,
        voice=voice,
        activity=lambda: LocalActivity(speech.hearing),
        transcriber=lambda: LocalTranscriber(speech.hearing),
        realtime=lambda: LocalBrain(script),
        tts=lambda: LocalSynthesizer(settings.tts, speech.voice),
        captain=lambda: LocalCaptain(
            clock, delay_seconds=settings.captain.delay_seconds, notes_file=settings.captain.notes_file
        ),
        evidence=lambda: LocalSink(settings.evidence),
        console=console,
    )


def local_ports(
    settings: Settings,
    room: LocalRoom,
    speech: LocalSpeech,
    clock: SystemClock,
    console: Callable[[], ConsolePort],
    script: Script | None,
) -> Ports:
    """Return ports on a room in this process."""
    return embedded_ports(
        settings,
        speech,
        clock,
        console=console,
        script=script,
        gateway=lambda: LocalAccount(room),
        voice=lambda: LocalVoiceLink(room, settings.voice, opus_library=speech.opus_library),
    )


def local_house(settings: Settings) -> House:
    """Return a house whose console listens and whose one room waits for people."""
    loop, speech, clock = IoLoop(), LocalSpeech(settings), SystemClock()
    loop.start()

    def close() -> None:
        loop.stop(LOOP_STOP_SECONDS)
        speech.close()

    ports = local_ports(
        settings,
        LocalRoom(ROOM),
        speech,
        clock,
        console=lambda: LiveConsole(loop, settings.console),
        script=None,
    )
    return House(settings, ports, clock, close)


class LocalTheatre:
    """Where scenarios are rehearsed: one set of models, a new house for each."""

    def __init__(self) -> None:
        self.speech = LocalSpeech(load(None))

    def room(self) -> LocalRoom:
        """A room in this process."""
        return LocalRoom(REHEARSAL)

    def open(
        self, *, settings: Overrides, room: LocalRoom, replies: tuple[ReplyEntry, ...], state: Path
    ) -> AbstractContextManager[House]:
        """Return a house for `room` that answers with `replies`; a wrong setting is a ValueError in words."""
        tables = {table: dict(values) for table, values in settings.items()}
        tables["evidence"] = {**tables.get("evidence", {}), "directory": str(state / "evidence")}
        try:
            chosen = load(None, tables)
        except BadConfig as error:
            raise ValueError(str(error)) from None
        try:
            check_notes(chosen.captain.notes_file)
        except BadConfig as error:
            # The line of a scenario is found by `captain.notes_file`.
            raise ValueError(str(error).replace("[captain] ", "captain.")) from None
        clock = SystemClock()
        script = Script(scripted(replies))
        ports = local_ports(chosen, room, self.speech, clock, console=ClosedConsole, script=script)
        return House(chosen, ports, clock)

    def close(self) -> None:
        """Let go of the models' thread."""
        self.speech.close()


def scripted(replies: tuple[ReplyEntry, ...]) -> Sequence[ScriptedReply]:
    """Return a scenario's decisions as the scripted model takes them."""
    return [
        ScriptedReply(
            when=one.when,
            heard=one.heard,
            text=one.text or "",
            tool=one.tool,
            request=one.request or "",
        )
        for one in replies
    ]
