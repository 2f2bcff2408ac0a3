"""The mind that needs no account: a script in a rehearsal, otherwise a page of honest rules."""

from __future__ import annotations

import re
from collections.abc import Callable

from actors.realtime.items import Item, Seed, TurnBrief
from actors.realtime.rules import decide, lost_for_words
from actors.realtime.script import Script, ScriptedReply, told
from messages.ids import CallId, Connection, ResponseId
from messages.realtime import RealtimePortEvent, ResponseEnded, ResponseEnding, ResponseText, ToolCalled

_SENTENCE = re.compile(r".+?(?:[.!?…]+(?=\s)\s*|$)", re.DOTALL)


class LocalBrain:
    """Decides at once, on the thread that asks, and reports through the door like any other mind."""

    def __init__(self, script: Script | None = None) -> None:
        self._script = script
        self._at_a_loss = 0
        self._events: Callable[[RealtimePortEvent], None] | None = None

    def open(self, events: Callable[[RealtimePortEvent], None]) -> None:
        """Learn where to report."""
        self._events = events

    def connect(self, connection: Connection, seed: Seed) -> None:
        """Every brief says all that the rules look at; only what they are has to be said anew."""
        self._at_a_loss = 0

    def add(self, connection: Connection, item: Item) -> None:
        """Nothing is remembered here."""

    def respond(self, connection: Connection, response: ResponseId, brief: TurnBrief) -> None:
        """Decide, and report it sentence by sentence."""
        reply = self._decide(brief) if self._script is None else self._script.reply(brief)
        text = reply.text.replace("{result}", told(brief.results))
        for sentence in _SENTENCE.findall(text):
            self._report(ResponseText(connection=connection, response=response, text=sentence))
        if reply.tool is not None:
            call = CallId(f"{response}-call")
            self._report(
                ToolCalled(
                    connection=connection,
                    response=response,
                    call=call,
                    name=reply.tool,
                    request=reply.request,
                )
            )
        self._report(ResponseEnded(connection=connection, response=response, ending=ResponseEnding.COMPLETED))

    def cancel(self, connection: Connection, response: ResponseId) -> None:
        """It has been reported already; whoever cancels drops it by its id."""

    def disconnect(self, connection: Connection) -> None:
        """There is nothing to disconnect from."""

    def close(self) -> None:
        """Report nothing any more."""
        self._events = None

    def describe(self) -> str:
        """Such as "scripted rules, no language model"."""
        if self._script is None:
            return "scripted rules, no language model"
        return f"the script of a rehearsal, {self._script.unused} replies left, no language model"

    def _decide(self, brief: TurnBrief) -> ScriptedReply:
        reply = decide(brief, at_a_loss=self._at_a_loss)
        self._at_a_loss += reply.text == lost_for_words(self._at_a_loss)
        return reply

    def _report(self, event: RealtimePortEvent) -> None:
        if self._events is not None:
            self._events(event)
