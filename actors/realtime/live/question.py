"""One response that somebody wants, from the first request for it until its end is told."""

from __future__ import annotations

from dataclasses import dataclass, field

from actors.realtime.items import Said, TurnBrief
from actors.realtime.live.actions import Action, Report
from actors.realtime.live.opening import Opening
from actors.realtime.live.wire import Call, ResponseDone
from actors.realtime.live.wording import parse_request
from messages.ids import CallId, Connection, ResponseId
from messages.realtime import ResponseEnded, ResponseEnding, ResponseText, ToolCalled


@dataclass(slots=True)
class Question:
    """`letter` is our last request for it, `name` what the provider calls the response."""

    connection: Connection
    response: ResponseId
    brief: TurnBrief = field(repr=False)
    letter: str = ""
    name: str | None = None
    wanted: bool = True
    again: bool = False
    """It has been refused once, because the provider was answering something else."""
    opening: Opening = field(default_factory=Opening)
    heard: Said | None = field(default=None, repr=False)
    """What was heard of it, when that is known before it is over."""

    def is_about(self, response: str, turn: str | None) -> bool:
        """Whether a response of the provider's is this one."""
        return turn == self.brief.turn if self.name is None else response == self.name

    def more(self, text: str) -> list[Action]:
        """Its text is told as it comes, as soon as it is known to be for people; until then, that it does."""
        return [self._said(self.opening.take(text))] if self.wanted else []

    def done(self, done: ResponseDone) -> list[Action]:
        """The provider has ended it: tell the rest, its calls if it is complete, and how it ended."""
        actions = self._say(self.opening.rest())
        if done.status == "completed":
            return [*actions, *map(self._called, done.calls), self.end(ResponseEnding.COMPLETED)]
        if done.status == "incomplete" and self.opening.is_known:
            return [*actions, self.end(ResponseEnding.COMPLETED)]
        ending = ResponseEnding.CANCELLED if done.status == "cancelled" else ResponseEnding.FAILED
        return [*actions, self.end(ending, done.reason)]

    def end(self, ending: ResponseEnding, reason: str = "") -> Action:
        """It is over."""
        return Report(
            ResponseEnded(connection=self.connection, response=self.response, ending=ending, reason=reason)
        )

    def _say(self, text: str) -> list[Action]:
        return [self._said(text)] if text else []

    def _said(self, text: str) -> Action:
        return Report(ResponseText(connection=self.connection, response=self.response, text=text))

    def _called(self, call: Call) -> Action:
        called = ToolCalled(
            connection=self.connection,
            response=self.response,
            call=CallId(call.call),
            name=call.name,
            request=parse_request(call.name, call.arguments),
        )
        return Report(called)
