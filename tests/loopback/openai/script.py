"""A mind for rehearsals: over the wire it answers what the script says, each line of it once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from actors.realtime.items import Result, TurnBrief
from actors.realtime.script import Script, ScriptedReply, told
from messages.floor import Trigger
from messages.ids import HandoffId, LineId, PersonId, TurnId, UtteranceId
from messages.people import Line, LineSource, Person
from tests.loopback.discord.body import Body, decode
from tests.loopback.openai.chat import Call
from tests.loopback.openai.mind import Asked, Reply, Think, pieces_of


def scripted(replies: Sequence[ScriptedReply], *, pause: float = 0.0) -> Think:
    """Answer as the script of a rehearsal, `pause` seconds before each word; silence where it says nothing.

    It is the same script for every conversation, and reads what the house writes to a model.
    """
    script = Script(replies)

    def think(asked: Asked) -> Reply:
        if asked.trigger not in set(Trigger):
            return Reply()
        brief = _brief(asked)
        reply = script.reply(brief)
        calls: tuple[Call, ...] = ()
        if reply.tool is not None:
            wanted = {"request": reply.request} if reply.request else {}
            calls = (Call(name=reply.tool, arguments=json.dumps(wanted)),)
        text = reply.text.replace("{result}", told(brief.results))
        return Reply(pieces=pieces_of(text), calls=calls, pause=pause)

    return think


def _brief(asked: Asked) -> TurnBrief:
    written = [decode(said.text) for said in asked.new if said.role == "user"]
    return TurnBrief(
        turn=TurnId("wire"),
        utterance=UtteranceId("wire"),
        trigger=Trigger(asked.trigger),
        lines=tuple(_lines(written)),
        people=None,
        results=tuple(_result(one) for body in written for one in body.bodies("results")),
        open_requests=(),
    )


def _lines(written: Sequence[Body]) -> Iterator[Line]:
    for number, body in enumerate(written):
        if "speaker" in body and "text" in body:
            yield Line(
                id=LineId(f"wire-{number}"),
                person=Person(id=PersonId("wire"), label=body.text("speaker")),
                text=body.text("text"),
                source=LineSource.SPOKEN,
                began=0.0,
                ended=0.0,
            )


def _result(one: Body) -> Result:
    return Result(
        handoff=HandoffId("wire"),
        request=one.text("request"),
        text=one.text("result"),
        failed=one.text("failed"),
    )
