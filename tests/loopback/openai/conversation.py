"""A conversation in text: its items, one response at a time, and whoever thinks for it."""

from __future__ import annotations

from collections.abc import Iterable

from aiohttp import web

from tests.loopback.discord.body import Body, Json
from tests.loopback.discord.ground import DEADLINE_SECONDS
from tests.loopback.openai.config import check_response
from tests.loopback.openai.items import Items, Seen, created, seen
from tests.loopback.openai.mind import HELD, Asked, Reply, Said, Think
from tests.loopback.openai.refusals import Refused, wrong
from tests.loopback.openai.response import Event, Response
from tests.loopback.openai.session import Habits, Session, new_id, unknown_event
from tests.loopback.providers import Ground


class Conversation(Session):
    """A session of /v1/realtime?model=…; see Session and Socket for what goes wrong with it."""

    def __init__(
        self, ground: Ground, request: web.Request, habits: Habits, model: str, think: Think
    ) -> None:
        super().__init__(ground, request, habits, model)
        self.history = Items()
        self.active: Response | None = None
        """The one response that writes into the conversation."""
        self.responses: list[Response] = []
        """Every response so far, also those that write into no conversation."""
        self._name = new_id("conv")
        self._think = think
        self._read: set[str] = set()
        self._tokens = 0

    # --- for a test, from any thread -----------------------------------------------------------------

    @property
    def items(self) -> list[Seen]:
        """What the conversation consists of now, in order."""
        with self._ground.changing():
            return [seen(item) for item in self.history.all]

    def wait_held(self, seconds: float = DEADLINE_SECONDS) -> Response:
        """Wait until the response waits for the test (Reply.pause is HELD), and return it."""
        self._ground.until(lambda: self.active and self.active.held, seconds, "a response that waits")
        assert self.active is not None
        return self.active

    def go_on(self, *, to_the_end: bool = False) -> None:
        """Let the response that waits take its next step, or all of them."""

        def change() -> None:
            one = self.active
            assert one is not None, "no response is active"
            assert one.held, "the response does not wait"
            one.freed = to_the_end
            self._go(one)

        self._ground.run(change)

    def begin_response(self, reply: Reply) -> None:
        """Begin a response that the client did not ask for; nothing must be active."""
        self._ground.run(lambda: self._begin(reply, Body({}), (), by_client=False))

    # --- events -------------------------------------------------------------------------------------

    def take(self, event: Body) -> None:
        """Deal with one event of the client's; raises Refused."""
        match event.text("type"):
            case "session.update":
                self.update(event.body("session"))
            case "conversation.item.create":
                self._create(event)
            case "conversation.item.delete":
                self._delete(event)
            case "conversation.item.retrieve":
                self.emit(
                    "conversation.item.retrieved", item=self.history.get(event.text("item_id"), "retrieve")
                )
            case "conversation.item.truncate":
                self.history.get(event.text("item_id"), "truncate")
                said = "Only model output audio messages can be truncated"
                raise wrong(said, "item_id", "unsupported_content_type")
            case "response.create":
                self._respond(event.body("response"), event.text("event_id") or None)
            case "response.cancel":
                self._cancel(event)
            case kind:
                raise unknown_event(kind)

    def _create(self, event: Body) -> None:
        item = created(event.body("item"), new_id("item"))
        previous = self.history.add(item, event.text("previous_item_id") or None)
        self.emit("conversation.item.added", previous_item_id=previous, item=item)
        self.emit("conversation.item.done", previous_item_id=previous, item=item)

    def _delete(self, event: Body) -> None:
        name = event.text("item_id")
        try:
            self.history.delete(name)
        except Refused as refused:
            if name not in self.history.ever:
                raise
            self.complain(refused, event.text("event_id") or None)  # it may not have known
            return
        self.emit("conversation.item.deleted", item_id=name)

    def _respond(self, wanted: Body, about: str | None) -> None:
        check_response(wanted)
        if self.active is not None and wanted.text("conversation") != "none":
            busy = wrong(
                f"Conversation already has an active response in progress: {self.active.id}.",
                None,
                "conversation_already_has_active_response",
            )
            if self.active.by_client:
                raise busy
            self.complain(busy, about)
            return
        context = self._context(wanted)
        new = [item for item in context if str(item["id"]) not in self._read]
        if not self._read:
            new = _after_the_last_answer(new)
        asked = self._asked(wanted, new, context)
        self._begin(self._think(asked), wanted, context)

    def _cancel(self, event: Body) -> None:
        named, one = event.text("response_id"), self.active
        if one is None or (named and named != one.id):
            said = "Cancellation failed: no active response found"
            self.complain(wrong(said, None, "response_cancel_not_active"), event.text("event_id") or None)
            return
        if one.timer is not None:
            one.timer.cancel()
        ending = list(one.cut(self.habits.cancelled_calls))
        if not self.habits.cancel_leaves_item:
            for item in one.incomplete:
                self.history.delete(item)
        self._emit_all(ending)
        self.active = None

    # --- responses ------------------------------------------------------------------------------------

    def _begin(self, reply: Reply, wanted: Body, context: Iterable[Json], *, by_client: bool = True) -> None:
        apart = wanted.text("conversation") == "none"
        tokens = sum(len(seen(item).text) // 4 + 4 for item in context) + self._instruction_tokens(wanted)
        one = Response(
            _without_calls(reply) if self._choice(wanted) == "none" else reply,
            conversation=None if apart else self._name,
            metadata=wanted.body("metadata").fields or None,
            input_tokens=tokens,
            cached_tokens=min(tokens, self._tokens),
            place=lambda item: self.history.add(item, None),
            by_client=by_client,
        )
        self.responses.append(one)
        self.emit("response.created", response=one.body())
        self.emit("rate_limits.updated", rate_limits=[])
        if not apart:
            self.active, self._tokens = one, tokens
            self._read |= {str(item["id"]) for item in self.history.all}
        self._go(one)

    def _go(self, one: Response) -> None:
        """Send of a response whatever is due."""
        one.held = False
        for step in one.steps:
            if isinstance(step, tuple):
                self._emit_all([step])
            elif step and not one.freed:
                one.held = step == HELD
                if not one.held:
                    one.timer = self.later(step, lambda: self._go(one))
                return
        if self.active is one:
            self.active = None

    def _emit_all(self, events: Iterable[Event]) -> None:
        for kind, fields in events:
            self.emit(kind, **fields)

    def _context(self, wanted: Body) -> list[Json]:
        if "input" not in wanted:
            return list(self.history.all)
        return [
            self.history.get(one.text("id"), "reference")
            if one.text("type") == "item_reference"
            else created(one, new_id("item"))
            for one in wanted.bodies("input")
        ]

    def _asked(self, wanted: Body, new: Iterable[Json], context: Iterable[Json]) -> Asked:
        tools = (wanted if "tools" in wanted else Body(self.config)).bodies("tools")
        return Asked(
            instructions=wanted.text("instructions") or str(self.config["instructions"]),
            new=tuple(said for said in map(_said, new) if said.role != "assistant"),
            context=tuple(map(_said, context)),
            metadata={name: str(value) for name, value in wanted.body("metadata").fields.items()},
            tools=tuple(tool.text("name") for tool in tools),
        )

    def _choice(self, wanted: Body) -> object:
        return wanted.fields.get("tool_choice", self.config["tool_choice"])

    def _instruction_tokens(self, wanted: Body) -> int:
        return len(wanted.text("instructions") or str(self.config["instructions"])) // 4


def _said(item: Json) -> Said:
    one = seen(item)
    return Said(one.role, one.text)


def _without_calls(reply: Reply) -> Reply:
    return Reply(pieces=reply.pieces, pause=reply.pause, failure=reply.failure, incomplete=reply.incomplete)


def _after_the_last_answer(items: list[Json]) -> list[Json]:
    places = [place for place, item in enumerate(items) if item.get("role") == "assistant"]
    return items[places[-1] + 1 :] if places else items
