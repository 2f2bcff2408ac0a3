"""One conversation with OpenAI's Realtime as a game of letters: one question at a time, each ends once."""

from __future__ import annotations

from typing import Final, assert_never

from actors.net import reasons
from actors.net.usage import OPENAI, Tokens
from actors.realtime.items import Item, Said, Seed, TurnBrief
from actors.realtime.live import letters
from actors.realtime.live.actions import Action, Close, Expires, Report, Send, sends
from actors.realtime.live.ledger import Ledger
from actors.realtime.live.letters import MODEL
from actors.realtime.live.question import Question
from actors.realtime.live.wire import (
    AtWork,
    Call,
    Complaint,
    Frame,
    ItemPlaced,
    MessageBegan,
    ResponseBegan,
    ResponseDone,
    SessionCreated,
    TextCame,
)
from actors.realtime.live.wording import brief_entries, instructions, seed_entries
from actors.realtime.settings import RealtimeSettings
from messages.ids import CallId, Connection, ResponseId
from messages.realtime import ConversationLost, ModelSpent, ResponseEnding
from messages.reasons import REFUSALS

ALREADY_ACTIVE: Final = "conversation_already_has_active_response"
_GOING_AWAY = 1001
"""The close code of a session that has reached its limit."""

_NAMELESS = ""


class Session:
    """What there is to do about each order and each letter; all methods return it, in order."""

    def __init__(self, connection: Connection, settings: RealtimeSettings) -> None:
        self._connection, self._settings = connection, settings
        self._ledger = Ledger(connection)
        self._first = self._ledger.name("session")
        self._asked: Question | None = None
        self._next: Question | None = None
        # A response that the provider began by itself, or that we do not know of.
        self._stranger: str | None = None
        self._retiring = False

    def begin(self, seed: Seed) -> list[Action]:
        """Say how the session is to be, and what has been said before it."""
        update = letters.session_update(self._first, instructions(seed), self._settings)
        return sends([update, *self._ledger.put(seed_entries(seed))])

    def add(self, item: Item) -> list[Action]:
        """Put one thing into the conversation; what was heard of an answer waits for the end of it."""
        asked = self._asked
        if isinstance(item, Said) and asked is not None and asked.brief.utterance == item.utterance:
            asked.heard = item
            return []
        return sends(self._ledger.add(item))

    def respond(self, response: ResponseId, brief: TurnBrief) -> list[Action]:
        """Ask, as soon as nothing else is being answered."""
        self._next = Question(self._connection, response, brief)
        return self._go_on()

    def cancel(self, response: ResponseId) -> list[Action]:
        """Nobody wants this response any more."""
        asked = self._asked
        if self._next is not None and self._next.response == response:
            self._next = None
            return []
        if asked is None or asked.response != response:
            return sends(self._ledger.dismissed(response))
        asked.wanted = False
        return [] if asked.name is None else [self._cancel(asked.name)]

    def retire(self) -> list[Action]:
        """It will soon expire: let it be lost as soon as nothing is being answered."""
        self._retiring = True
        return self._go_on()

    def ended(self, reason: str, code: int | None) -> list[Action]:
        """The line is gone, and we did not close it."""
        return self._lost(reasons.SESSION_EXPIRED if code == _GOING_AWAY else reason)

    def came(self, frame: Frame) -> list[Action]:
        """A letter of the provider's."""
        match frame:
            case None:
                return []
            case SessionCreated():
                return [] if frame.expires_at is None else [Expires(frame.expires_at)]
            case ItemPlaced():
                self._ledger.placed(frame.item, frame.previous)
                return []
            case ResponseBegan():
                return self._began(frame)
            case MessageBegan():
                return self._text(frame.response, frame.item, "")
            case AtWork():
                return self._at_work(frame.response)
            case TextCame():
                return self._text(frame.response, frame.item, frame.text)
            case ResponseDone():
                return [*self._spent(frame.used), *self._done(frame)]
            case Complaint():
                return self._complained(frame)
            case _:
                assert_never(frame)

    # --- one response after the other

    def _go_on(self) -> list[Action]:
        """Ask the next question, if the provider is free to hear it."""
        if self._asked is not None or self._stranger is not None:
            return []
        if self._retiring:
            return self._lost(reasons.SESSION_EXPIRED)
        question, self._next = self._next, None
        if question is None:
            return []
        brief = question.brief
        written = [] if question.again else self._ledger.put(brief_entries(brief))
        self._asked, question.letter = question, self._ledger.name("respond")
        return sends([*written, letters.respond(question.letter, brief.turn, brief.trigger.value)])

    def _began(self, frame: ResponseBegan) -> list[Action]:
        asked = self._asked
        if asked is None or not asked.is_about(frame.response, frame.turn):
            self._stranger = frame.response
            return [self._cancel(frame.response)]
        asked.name = frame.response
        return [] if asked.wanted else [self._cancel(frame.response)]

    def _text(self, response: str, item: str, text: str) -> list[Action]:
        asked = self._asked
        if asked is None or asked.name != response:
            return []
        self._ledger.spoke(asked.brief.utterance, item)
        return asked.more(text)

    def _at_work(self, response: str) -> list[Action]:
        asked = self._asked
        return [] if asked is None or asked.name != response else asked.more("")

    def _done(self, frame: ResponseDone) -> list[Action]:
        asked = self._asked
        if asked is None or not asked.is_about(frame.response, frame.turn):
            self._stranger = None
            unheard = sends(self._ledger.take_away(frame.messages))
            return [*self._dismissed(frame.calls), *unheard, *self._go_on()]
        if frame.reason == reasons.SESSION_EXPIRED:
            return self._lost(frame.reason)
        self._asked = None
        for item in frame.messages:
            self._ledger.spoke(asked.brief.utterance, item)
        dismissed: list[Action] = []
        if asked.wanted and frame.status == "completed":
            for call in frame.calls:
                self._ledger.called(CallId(call.call), asked.response)
        else:
            dismissed = self._dismissed(frame.calls)
        told = asked.done(frame) if asked.wanted else []
        corrected = [] if asked.heard is None else sends(self._ledger.add(asked.heard))
        return [*dismissed, *told, *corrected, *self._go_on()]

    def _spent(self, used: Tokens | None) -> list[Action]:
        if used is None:
            return []
        spent = used.spent(OPENAI, self._settings.model or MODEL)
        return [Report(ModelSpent(connection=self._connection, spent=spent))]

    def _dismissed(self, calls: tuple[Call, ...]) -> list[Action]:
        """Calls of a response that did not complete are not acted on, but they want an output."""
        for call in calls:
            self._ledger.called(CallId(call.call), None)
        return sends(letter for call in calls for letter in self._ledger.dismiss(CallId(call.call)))

    def _cancel(self, response: str) -> Action:
        return Send(letters.cancel(self._ledger.name("cancel"), response))

    # --- when something is wrong

    def _complained(self, frame: Complaint) -> list[Action]:
        asked = self._asked
        if frame.reason == reasons.SESSION_EXPIRED or frame.about == self._first:
            return self._lost(frame.reason)
        if asked is not None and (frame.about == asked.letter or self._met_another(asked, frame)):
            return self._refused(asked, frame.reason)
        if frame.about is not None:
            return sends(self._ledger.complained(frame.about))
        return self._lost(frame.reason) if asked is not None and frame.reason in REFUSALS else []

    def _met_another(self, asked: Question, frame: Complaint) -> bool:
        """A refusal that names no letter is of this one if it has not begun."""
        return frame.about is None and frame.reason == ALREADY_ACTIVE and asked.name is None

    def _refused(self, asked: Question, reason: str) -> list[Action]:
        """The provider did not take this question: it is answering something else, or it never will."""
        self._asked = None
        if reason == ALREADY_ACTIVE:
            self._stranger = self._stranger or _NAMELESS
        if reason == ALREADY_ACTIVE and asked.wanted and not asked.again:
            asked.again, self._next = True, asked
            return []
        ended = [asked.end(ResponseEnding.FAILED, reason)] if asked.wanted else []
        return [*ended, *self._go_on()]

    def _lost(self, reason: str) -> list[Action]:
        return [Report(ConversationLost(connection=self._connection, reason=reason)), Close()]
