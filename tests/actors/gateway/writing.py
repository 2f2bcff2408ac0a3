"""A text lane for tests: who writes, what the captain says, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from actors.gateway.core import step
from actors.gateway.decisions import Decision, Post, Record, TellCaptain, TellStay, Typing
from actors.gateway.lane import TextLane
from actors.gateway.settings import TextSettings
from actors.gateway.state import State
from messages.captain import AskInText
from messages.evidence import TextIngress, TextReply
from messages.gateway import GatewayMessage, MessageGone, MessageSeen, TextAnswered
from messages.ids import GuildId, MessageId, RoleId, RoomId
from messages.people import Person
from messages.stay import PersonTyped
from tests.actors.gateway.scene import BERT, HOME, NOW, ONLINE, S2, after, inside, start

LOBBY, PRIVATE = RoomId("31"), RoomId("41")
NAMES = ("Clankie", "Clinky", "C-3")


@dataclass
class Lane:
    """A gateway that has been running for a while; every call returns what it decided."""

    state: State
    now: float = NOW

    def see(self, event: GatewayMessage) -> tuple[Decision, ...]:
        self.state, decisions = step(self.state, event, self.now, S2)
        return decisions

    def write(
        self,
        text: str,
        name: str = "m1",
        *,
        person: Person = BERT,
        room: RoomId = LOBBY,
        guild: GuildId | None = HOME,
        mention: bool = False,
        images: int = 0,
        parent: RoomId | None = None,
        roles: frozenset[RoleId] = frozenset(),
    ) -> tuple[Decision, ...]:
        seen = MessageSeen(
            message=MessageId(name),
            room=room,
            guild=guild,
            person=person,
            text=text,
            mentions_him=mention,
            images=images,
            parent=parent,
            roles=roles,
        )
        return self.see(seen)

    def answer(self, text: str, name: str = "m1", failed: str = "") -> tuple[Decision, ...]:
        return self.see(TextAnswered(room=LOBBY, message=MessageId(name), text=text, failed=failed))

    def take_back(self, name: str = "m1") -> tuple[Decision, ...]:
        return self.see(MessageGone(room=LOBBY, message=MessageId(name)))


def lane(settings: TextSettings | None = None, *, in_voice: bool = False) -> Lane:
    text = TextLane(settings=settings or TextSettings(), names=NAMES)
    state = replace(start(), text=text)
    state, _ = inside(state=state) if in_voice else after(*ONLINE, state=state)
    return Lane(state)


def rule(decisions: tuple[Decision, ...]) -> str:
    """The outcome and the rule that are on record for one message; empty if nothing is."""
    found = [f"{one.outcome} {one.reason}" for one in receipts(decisions) if isinstance(one, TextIngress)]
    assert len(found) < 2
    return "".join(found)


def reply(decisions: tuple[Decision, ...]) -> TextReply:
    """The one reply that is on record."""
    (found,) = (one for one in receipts(decisions) if isinstance(one, TextReply))
    return found


def receipts(decisions: tuple[Decision, ...]) -> list[object]:
    return [one.receipt for one in decisions if isinstance(one, Record)]


def posts(decisions: tuple[Decision, ...]) -> list[Post]:
    return [one for one in decisions if isinstance(one, Post)]


def asked(decisions: tuple[Decision, ...]) -> list[AskInText]:
    told = (one.message for one in decisions if isinstance(one, TellCaptain))
    return [one for one in told if isinstance(one, AskInText)]


def typing(decisions: tuple[Decision, ...]) -> list[bool]:
    return [one.on for one in decisions if isinstance(one, Typing)]


def said(decisions: tuple[Decision, ...]) -> list[str]:
    """What went to the floor."""
    told = (one.message for one in decisions if isinstance(one, TellStay))
    return [one.text for one in told if isinstance(one, PersonTyped)]
