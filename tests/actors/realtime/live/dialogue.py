"""A session's machine on its own: orders and letters in, decoded letters and reports out."""

from __future__ import annotations

import json
from typing import Any

from actors.realtime.items import Said, Seed, TurnBrief
from actors.realtime.live.actions import Action, Close, Expires, Report, Send
from actors.realtime.live.session import Session
from actors.realtime.live.wire import decode
from actors.realtime.settings import RealtimeSettings
from messages.floor import Trigger
from messages.ids import Connection, LineId, PersonId, ResponseId, TurnId, UtteranceId
from messages.people import Line, LineSource, Person, Presence
from messages.realtime import RealtimePortEvent, ResponseEnded, ResponseEnding, ResponseText

ANNA = Person(id=PersonId("anna"), label="Anna")
BEN = Person(id=PersonId("ben"), label="Ben")
ROBOT = Person(id=PersonId("robot"), label="Beep", bot=True)
HERE = (
    Presence(person=ANNA, consented=True),
    Presence(person=BEN, consented=False),
    Presence(person=ROBOT, consented=False),
)
ONE = Connection(1)
SEED = Seed(persona="You are Clankie.", people=HERE, remembered=(), open_requests=())
R1, R2 = ResponseId("t1-1"), ResponseId("t2-1")
U1, U2 = UtteranceId("t1-speech"), UtteranceId("t2-speech")

Letter = dict[str, Any]


def line(text: str, person: Person = ANNA) -> Line:
    return Line(id=LineId(text), person=person, text=text, source=LineSource.SPOKEN, began=0.0, ended=1.0)


def brief(turn: str = "t1", trigger: Trigger = Trigger.ADDRESS, **more: Any) -> TurnBrief:
    fields: Letter = {"lines": (), "people": HERE, "results": (), "open_requests": (), **more}
    return TurnBrief(turn=TurnId(turn), utterance=UtteranceId(f"{turn}-speech"), trigger=trigger, **fields)


def heard(text: str, utterance: UtteranceId = U1) -> Said:
    return Said(utterance=utterance, text=text, interrupted=True)


def ended(response: ResponseId = R1, reason: str = "", how: str = "completed") -> ResponseEnded:
    return ResponseEnded(connection=ONE, response=response, ending=ResponseEnding(how), reason=reason)


def message(text: str, item: str = "a1", status: str = "completed") -> Letter:
    content = [{"type": "output_text", "text": text}]
    return {"id": item, "type": "message", "role": "assistant", "status": status, "content": content}


def call(name: str = "ask_clankie", call_id: str = "call-1", arguments: str = '{"request":"x"}') -> Letter:
    return {"id": "f1", "type": "function_call", "call_id": call_id, "name": name, "arguments": arguments}


class Dialogue:
    """Plays the provider, and keeps what was sent and told since it was last looked at."""

    def __init__(self, seed: Seed = SEED, settings: RealtimeSettings | None = None) -> None:
        self.session = Session(ONE, settings or RealtimeSettings())
        self._sent: list[Letter] = []
        self._told: list[RealtimePortEvent] = []
        self.expires: list[float] = []
        self.closed = 0
        self.at_work = 0
        self.do(self.session.begin(seed))

    def do(self, actions: list[Action]) -> None:
        for action in actions:
            match action:
                case Send():
                    self._sent.append(json.loads(action.letter))
                case Report(ResponseText(text="")):
                    self.at_work += 1
                case Report():
                    self._told.append(action.event)
                case Expires():
                    self.expires.append(action.at)
                case Close():
                    self.closed += 1

    def sent(self) -> list[Letter]:
        taken, self._sent = self._sent, []
        return taken

    def told(self) -> list[RealtimePortEvent]:
        taken, self._told = self._told, []
        return taken

    @property
    def is_quiet(self) -> bool:
        """Whether nothing was sent, told or closed since the last look."""
        return not self._sent and not self._told and not self.closed

    # --- the room's part

    def ask(self, response: ResponseId = R1, asked: TurnBrief | None = None) -> str:
        """Ask, and return the name of the request, or "" while it waits."""
        self.do(self.session.respond(response, asked or brief(response.removesuffix("-1"))))
        requests = [one["event_id"] for one in self._sent if one["type"] == "response.create"]
        return str(requests[-1]) if requests else ""

    def cancel(self, response: ResponseId = R1) -> None:
        self.do(self.session.cancel(response))

    def hear(self, said: Said) -> None:
        self.do(self.session.add(said))

    # --- the provider's part

    def come(self, kind: str, **fields: object) -> None:
        self.do(self.session.came(decode(json.dumps({"type": kind, **fields}))))

    def begin(self, name: str = "r1", turn: str | None = "t1") -> None:
        metadata = None if turn is None else {"turn": turn, "trigger": "address"}
        self.come("response.created", response={"id": name, "status": "in_progress", "metadata": metadata})

    def text(self, text: str, name: str = "r1", item: str = "a1") -> None:
        self.come("response.output_text.delta", response_id=name, item_id=item, delta=text)

    def place(self, item: str, behind: str | None) -> None:
        self.come("conversation.item.added", item={"id": item, "type": "message"}, previous_item_id=behind)

    def done(
        self,
        *output: Letter,
        name: str = "r1",
        turn: str | None = "t1",
        status: str = "completed",
        details: Letter | None = None,
    ) -> None:
        response: Letter = {"id": name, "status": status, "status_details": details, "output": list(output)}
        self.come("response.done", response={**response, "metadata": turn and {"turn": turn}})

    def complain(
        self, code: str | None, about: str | None = None, kind: str = "invalid_request_error"
    ) -> None:
        error = {"type": kind, "code": code, "message": "Prose that must not surface.", "event_id": about}
        self.come("error", error=error)


def kinds(sent: list[Letter]) -> list[str]:
    """What was sent, in short: the type, and what it is about."""
    return [_kind(one) for one in sent]


def _kind(letter: Letter) -> str:
    kind = str(letter["type"])
    if kind != "conversation.item.create":
        return kind.removeprefix("conversation.")
    item = letter["item"]
    return str(item["role"] if item["type"] == "message" else item["type"])


def text_of(letter: Letter) -> str:
    """What a message says, or an output."""
    item = letter["item"]
    return str(item["output"] if item["type"] == "function_call_output" else item["content"][0]["text"])
