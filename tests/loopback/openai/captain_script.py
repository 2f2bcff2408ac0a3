"""The captain of a rehearsal over the wire does what the local one would do, by the same script and rules."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from actors.captain.live import wording
from actors.captain.local import DONE
from actors.captain.local_wire import outcome_of
from actors.captain.rules import Call, Came, Heard, Past, Said
from actors.captain.script import CaptainScript, ScriptedTurn, direct
from tests.loopback.discord.body import Body
from tests.loopback.openai.responses_asked import CaptainAsked, CaptainBrain, CaptainReply

_EVENTS: Final = 12
"""About as many events as a response has beside its words."""


def scripted_captain(script: CaptainScript, *, notes: str | None = None, delay: float = 0.0) -> CaptainBrain:
    """Follow `script`, then the rules; the first response of a turn takes about `delay` seconds.

    It reads what the house writes to a model. A response that is asked for again begins its turn anew.
    """
    turns: dict[str, list[ScriptedTurn | None]] = {}

    def think(asked: CaptainAsked) -> CaptainReply:
        played = turns.setdefault(_name(asked), [])
        seconds = 0.0
        if asked.steps == 0:
            seconds = delay
            played.clear()
        requests = [_said(one) for one in asked.requests]
        for said in requests[len(played) :]:
            found = script.take(said)
            played.append(found)
            seconds = seconds if found is None or found.delay is None else found.delay
        own = tuple(said for said, found in zip(requests, played, strict=False) if found is None)
        decided = direct(_heard(asked, own, notes), [found for found in played if found is not None])
        calls = tuple((call.tool, call.arguments) for call in decided.calls)
        events = _EVENTS + len(decided.text.split()) + len(calls)
        return CaptainReply(calls=calls, text=decided.text, pause=seconds / events)

    return think


def _name(asked: CaptainAsked) -> str:
    """What stays the same throughout a turn."""
    return repr([one.fields for one in (*asked.history, *asked.requests[:1])])


def _said(request: Body) -> Said:
    spoken = tuple(line.text("text") for line in request.bodies("spoken"))
    return Said(request=request.text("request"), original=spoken)


def _heard(asked: CaptainAsked, own: tuple[Said, ...], notes: str | None) -> Heard:
    return Heard(
        asked=own,
        now=datetime.now(UTC).astimezone(),
        aloud=wording._ALOUD in asked.instructions,
        notes=notes,
        past=tuple(_past(asked)),
        tools=asked.tools,
        came=tuple(
            Came(call=Call(tool=one.tool, arguments=one.arguments), outcome=outcome_of(one.output))
            for one in asked.outputs
        ),
    )


def _past(asked: CaptainAsked) -> Iterator[Past]:
    for one in asked.history:
        if "asked" in one:
            yield Past(asked=one.text("asked"))
        elif "tool" in one:
            yield Past(tool=one.text("tool"), done=one.text("outcome") in DONE)
