"""A town in which a captain does what a story wants, with tools of others that do something for good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from actors.captain.port import ToolboxPort
from actors.captain.rules import Call
from actors.captain.script import CaptainScript, ScriptedTurn
from actors.captain.settings import McpServer
from actors.gateway.port import GatewayPort
from actors.realtime.matching import contains_words
from actors.realtime.script import Script, ScriptedReply
from actors.voice.port import VoicePort
from messages.evidence import CaptainTool
from messages.gateway import (
    Asker,
    ButtonAnswered,
    ButtonPressed,
    ForgetAnswered,
    ForgetAsked,
    MessageGone,
    MessageSeen,
)
from messages.ids import CallId, HandoffId, RoomId
from supervisors.settings import Settings
from tests.probe import Probe
from tests.stories.pages import PAINT, SERVER, Machines, Pages
from tests.stories.town import HOME
from tests.stories.writers import Writers

PAINTING = ScriptedTurn(heard="paint", calls=(Call(tool=PAINT.name),), text="Painted: {outcome}.", delay=1.0)
ASK = ScriptedReply(heard="paint", text="Let me see.", tool="ask_clankie", request="paint it")
RESULT = ScriptedReply(when="handoff_result", text="Here it is: {result}")


class Court(Writers):
    """Writers with a captain; `done` is what the tools of others really did. Use like Writers."""

    def __init__(
        self,
        seed: int,
        *,
        turns: Sequence[ScriptedTurn] = (),
        replies: Sequence[ScriptedReply] = (),
        pages: Pages | None = None,
        **people: RoomId,
    ) -> None:
        self.done: list[tuple[HandoffId, CallId]] = []
        self._turns = turns
        super().__init__(seed, text=None, replies=replies, pages=pages, **people)

    def open(
        self,
        script: Script,
        settings: Settings,
        gateway: Callable[[], GatewayPort],
        voice: Callable[[], VoicePort],
    ) -> None:
        """With one server, whose tool is for the owner, and waits for a button if it is asked for aloud."""
        self.captain_script = CaptainScript(self._turns, contains_words)
        captain = replace(
            settings.captain,
            mcp={SERVER: McpServer(url="https://play.example", tier="system", confirm="aloud")},
        )
        super().open(script, settings.model_copy(update={"captain": captain}), gateway, voice)

    def _toolbox(self) -> ToolboxPort:
        return Machines(self.clock, self.done)

    def deletes(self, seen: MessageSeen) -> None:
        """Somebody takes back what he wrote."""
        self.account.tell(MessageGone(room=seen.room, message=seen.message))

    def forget(self, name: str) -> Probe[ForgetAnswered]:
        """Somebody wants to be forgotten; what he is answered."""
        told: Probe[ForgetAnswered] = Probe()
        asker = Asker(person=self.person(name), guild=HOME)
        self.account.tell(ForgetAsked(asker=asker, reply_to=told))
        return told

    def press(self, name: str, granted: bool = True) -> Probe[ButtonAnswered]:
        """Somebody presses a button of the newest question; what he is answered."""
        told: Probe[ButtonAnswered] = Probe()
        asker = Asker(person=self.person(name), guild=HOME)
        self.account.tell(
            ButtonPressed(confirmation=self.account.shown[-1], asker=asker, granted=granted, reply_to=told)
        )
        return told

    def used(self) -> list[str]:
        """What came of each tool call that was answered, in order."""
        return [one.reason or one.outcome for one in self.receipts(CaptainTool)]
