"""A captain's desk in tests: what lands on it, and what he decides, with a time of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from actors.authority import Authority
from actors.captain.core import step
from actors.captain.decisions import Begin, Decision, Journal, Tell, TellEvidence, TellGateway, Think, Wake
from actors.captain.events import Event
from actors.captain.journal import Entry
from actors.captain.settings import CaptainSettings, McpServer
from actors.captain.state import State
from messages.captain import (
    AskAsOperator,
    AskCaptain,
    AskersKnown,
    AskInText,
    CallDone,
    CaptainMessage,
    CaptainTick,
    MachineTool,
    MindFailed,
    MindStepped,
    ToolAnswer,
    ToolboxChanged,
    ToolCall,
)
from messages.console import OperatorNews
from messages.gateway import Asker
from messages.ids import CallId, GuildId, HandoffId, MessageId, PersonId, RoleId, RoomId, StayId, Token
from messages.people import Person
from messages.realtime import RealtimeMessage
from messages.tools import ToolRequest
from tests.actors.realtime.talk import line
from tests.probe import Probe

K = TypeVar("K")
EPOCH = 1_000_000.0
DEN = GuildId("den")
ADA = Person(id=PersonId("ada"), label="Ada")
BEN = Person(id=PersonId("ben"), label="Ben")
CLEO = Person(id=PersonId("cleo"), label="Cleo")
LAW = Authority(home=DEN, owner=CLEO.id, ambient=frozenset({ADA.id}))
CONVERSATION, CONSOLE, HERE = Probe[RealtimeMessage](), Probe[OperatorNews](), Probe[CaptainMessage]()
PLAY = MachineTool(
    name="music__play", server="music", description="Plays.", schema='{"type":"object"}', destructive=True
)
LOOK = replace(PLAY, name="music__list", destructive=False)
SERVERS = {"music": McpServer(url="https://music.example", tier="ambient")}


def aloud(name: str, *people: Person, room: str = "room", stay: str = "stay") -> AskCaptain:
    """Somebody (Ada, if nobody is named) asked this in a voice channel."""
    return AskCaptain(
        handoff=HandoffId(name),
        stay=StayId(stay),
        room=RoomId(room),
        askers=people or (ADA,),
        request=f"do {name}",
        original=(line(f"Clankie, do {name}"),),
        recent=(),
        observations=(),
        reply_to=CONVERSATION,
    )


def wrote(
    name: str, person: Person = ADA, *, room: str = "room", guild: GuildId | None = DEN, roles: str = ""
) -> AskInText:
    """Somebody wrote this; the message is called like the hand-off."""
    return AskInText(
        handoff=HandoffId(name),
        room=RoomId(room),
        message=MessageId(name),
        asker=person,
        request=f"do {name}",
        guild=guild,
        roles=frozenset(RoleId(role) for role in roles.split()),
    )


def typed(name: str) -> AskAsOperator:
    """The operator asked this."""
    return AskAsOperator(handoff=HandoffId(name), request=f"do {name}", reply_to=CONSOLE)


def known(name: str, *people: Person, guild: GuildId = DEN) -> AskersKnown:
    """The gateway's answer on who they are."""
    askers = tuple(Asker(person=person, guild=guild) for person in people or (ADA,))
    return AskersKnown(handoff=HandoffId(name), askers=askers)


def says(name: str, step: int = 1, text: str = "Done.") -> MindStepped:
    """The mind answers."""
    return MindStepped(handoff=HandoffId(name), step=step, text=text)


def wants(name: str, *requests: ToolRequest, step: int = 1, text: str = "", first: int = 1) -> MindStepped:
    """The mind calls tools, named c1, c2 and so on."""
    calls = tuple(
        ToolCall(call=CallId(f"c{number}"), request=request) for number, request in enumerate(requests, first)
    )
    return MindStepped(handoff=HandoffId(name), step=step, text=text, calls=calls)


def fails(name: str, reason: str, step: int = 1, again_after: float | None = None) -> MindFailed:
    """The mind has come to nothing."""
    return MindFailed(handoff=HandoffId(name), step=step, reason=reason, again_after=again_after)


def gives(name: str, answer: ToolAnswer, call: str = "c1") -> CallDone:
    """Another room answers a call."""
    return CallDone(handoff=HandoffId(name), call=CallId(call), answer=answer)


class Desk:
    """The core with its own time; `servers` lends him Ada's music."""

    def __init__(
        self, settings: CaptainSettings | None = None, *, law: Authority = LAW, servers: bool = False
    ) -> None:
        settings = settings or CaptainSettings()
        settings = replace(settings, mcp=SERVERS) if servers else settings
        self.state = State(
            settings=settings, authority=law, here=HERE, persona="Be brief.", prompt="captain/1"
        )
        self.now = 0.0
        self.wake: tuple[float, Token] | None = None
        if servers:
            self.do(ToolboxChanged(server="music", tools=(PLAY, LOOK)))

    def do(self, *events: Event) -> list[Decision]:
        """What he decides on these, timers left out."""
        done = list[Decision]()
        for event in events:
            self.state, decisions = step(self.state, event, self.now, EPOCH + self.now)
            for decision in decisions:
                if isinstance(decision, Wake):
                    self.wake = (self.now + decision.seconds, decision.message.token)
            done += [one for one in decisions if not isinstance(one, Wake)]
        return done

    def wait(self, seconds: float) -> list[Decision]:
        """The same for what time alone brings."""
        end, done = self.now + seconds, list[Decision]()
        while self.wake is not None and self.wake[0] <= end:
            self.now, token = self.wake
            self.wake = None
            done += self.do(CaptainTick(token=token))
        self.now = end
        return done


def told(decisions: list[Decision], kind: type[K]) -> list[K]:
    """What of this kind anybody was told."""
    messages = [one.message for one in decisions if isinstance(one, Tell | TellGateway | TellEvidence)]
    return [message for message in messages if isinstance(message, kind)]


def decided(decisions: list[Decision], kind: type[K]) -> list[K]:
    """The decisions of this kind."""
    return [one for one in decisions if isinstance(one, kind)]


def begun(decisions: list[Decision]) -> list[str]:
    """The turns that were given to the mind."""
    return [one.brief.turn for one in decided(decisions, Begin)]


def outputs(decisions: list[Decision]) -> list[str]:
    """What the mind is told before its next step: outputs as text, requests as they are."""
    items = [item for one in decided(decisions, Think) for item in one.items]
    return [getattr(item, "text", "") or getattr(item, "request", "") for item in items]


def entries(decisions: list[Decision], kind: type[K]) -> list[K]:
    """What was written down of this kind."""
    written: list[Entry] = [one.entry for one in decided(decisions, Journal)]
    return [entry for entry in written if isinstance(entry, kind)]
