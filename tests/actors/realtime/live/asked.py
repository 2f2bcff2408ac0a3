"""A mind behind an address, and what those who ask it need."""

from __future__ import annotations

from actors.net.loop import IoLoop
from actors.net.service import Service
from actors.realtime.items import Heard, Seed, TurnBrief
from actors.realtime.live.chat import ChatMind
from actors.realtime.settings import RealtimeSettings
from messages.floor import Trigger
from messages.ids import Connection, ResponseId, TurnId, UtteranceId
from messages.realtime import RealtimePortEvent, ResponseEnded, ResponseEnding, ResponseText
from tests.actors.realtime.talk import HERE, ONE, T1, line
from tests.loopback.discord.body import Body
from tests.loopback.openai.chat import Call
from tests.loopback.openai.fixtures import KEY, PATIENCE
from tests.loopback.openai.mind import Reply, pieces_of
from tests.loopback.openai.rest import Rest
from tests.probe import Probe

SECRET = "the-word-that-was-spoken"
SETTINGS = RealtimeSettings(provider="chat", model="gpt-6-luna")
SEED = Seed(persona="You are Clankie.", people=HERE, remembered=(), open_requests=())


class Room:
    """A mind, and everything that it reported."""

    def __init__(self, loop: IoLoop, base_url: str, key: str = KEY) -> None:
        self.said: Probe[RealtimePortEvent] = Probe()
        self.mind = ChatMind(loop, Service(base_url=base_url, key=key), SETTINGS)
        self.mind.open(self.said.tell)
        self.mind.connect(ONE, SEED)

    def ask(self, words: str = "hello", turn: TurnId = T1, connection: Connection = ONE) -> ResponseId:
        heard = line(words)
        self.mind.add(connection, Heard(line=heard))
        response = ResponseId(f"{turn}-1")
        self.mind.respond(connection, response, self.brief(turn))
        return response

    def brief(self, turn: TurnId) -> TurnBrief:
        return TurnBrief(
            turn=turn,
            utterance=UtteranceId(f"{turn}-speech"),
            trigger=Trigger.ADDRESS,
            lines=(),
            people=HERE,
            results=(),
            open_requests=(),
        )

    def ended(self) -> ResponseEnded:
        return self.said.expect(ResponseEnded, PATIENCE)

    def text(self) -> str:
        return "".join(one.text for one in self.said.received() if isinstance(one, ResponseText))


def answers(rest: Rest, text: str, *calls: Call) -> None:
    rest.brains.think = lambda _: Reply(pieces=pieces_of(text), calls=calls)


def messages(rest: Rest, request: int = -1) -> list[Body]:
    return list(Body.of(rest.chats[request]).bodies("messages"))


def failed(room: Room) -> str:
    ended = room.ended()
    assert ended.ending is ResponseEnding.FAILED
    assert [one for one in room.said.received() if isinstance(one, ResponseEnded)] == [ended]
    return ended.reason
