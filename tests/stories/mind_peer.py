"""OpenAI's Realtime at the other end of a line: it answers one question at a time, or fails at it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import partial

from tests.stories.wired import Fault, Other, Plan

WALL = 1_000_000.0
LATE = "text that came too late"
FIRST, REST = "It is nine", " and all is well."
CALL: dict[str, object] = {
    "id": "f1",
    "type": "function_call",
    "call_id": "call-1",
    "name": "ask_clankie",
    "arguments": '{"request":"the time"}',
}


class Provider:
    """All conversations of one house."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.peers: list[MindPeer] = []
        self.lasts: float | None = None
        """How many seconds a session lasts, as it says when it begins."""
        self.calls: deque[bool] = deque()
        """Whether the next answers are calls of a tool."""
        self.held = False
        """Whether it begins answers and does not end them before they are cancelled."""
        self.asked: list[str] = []
        """The turns that it was asked for."""

    def __call__(self) -> MindPeer:
        self.peers.append(MindPeer(self))
        return self.peers[-1]

    def strike(self, fault: Fault) -> None:
        """This happens to the first line, if it was dialled already."""
        if self.peers:
            self.peers[0].strike(fault)


class MindPeer(Other):
    """One line, with one conversation."""

    def __init__(self, provider: Provider) -> None:
        super().__init__(provider.plan)
        self.provider = provider
        self.last: str | None = None
        self.active: tuple[str, object] | None = None
        self.count = 0
        self.calls: set[str] = set()
        self.outputs: list[str] = []

    def greet(self) -> None:
        lasts = self.provider.lasts
        expires = {} if lasts is None else {"expires_at": WALL + self.line.stage.clock.now() + lasts}
        self.say({"type": "session.created", "session": {"id": "s", **expires}})

    def refusal(self) -> dict[str, object]:
        return {"type": "error", "error": {"code": "insufficient_quota", "message": f"Prose: {LATE}"}}

    def late(self) -> Iterator[dict[str, object]]:
        for number in range(1, self.count + 1):
            yield self._delta(f"r{number}", LATE)
            yield self._done(f"r{number}", None, "completed", [CALL])

    def took(self, frame: dict[str, object]) -> None:
        match frame:
            case {"type": "session.update"}:
                self.say({"type": "session.updated", "session": {}})
            case {"type": "conversation.item.create", "item": dict(item)}:
                self._place(item)
            case {"type": "response.create", "event_id": letter, "response": {"metadata": metadata}}:
                self._respond(letter, metadata)
            case {"type": "response.cancel", "event_id": letter, "response_id": name}:
                self._cancel(letter, name)
            case {"type": "conversation.item.delete", "item_id": item}:
                self.say({"type": "conversation.item.deleted", "item_id": item})
            case _:
                raise AssertionError(f"no frame that it knows: {frame}")

    def _place(self, item: dict[str, object]) -> None:
        if item["type"] == "function_call_output":
            assert item["call_id"] in self.calls, "an output of a call that is of another conversation"
            self.outputs.append(str(item["call_id"]))
        self.say({"type": "conversation.item.added", "item": item, "previous_item_id": self.last})
        self.last = str(item["id"])

    def _respond(self, letter: object, metadata: object) -> None:
        assert isinstance(metadata, dict)
        assert self.active is None, "two responses at the same time"
        self.count += 1
        name = f"r{self.count}"
        self.active = name, metadata
        self.provider.asked.append(str(metadata["turn"]))
        self.say({"type": "response.created", "response": {"id": name, "metadata": metadata}})
        fault = self.plan.next()
        call = fault is None and bool(self.provider.calls) and self.provider.calls.popleft()
        if call:
            self._end(name, "completed", [CALL])
        elif self.provider.held:
            self.say(self._delta(name, str(metadata["turn"])))
        else:
            self._answer(name, fault)

    def _answer(self, name: str, fault: Fault | None) -> None:
        if fault is None or self.plan.begins:
            self.say(self._delta(name, FIRST))
        if fault is None:
            self.say(self._delta(name, REST))
            self._end(name, "completed", [{"id": f"a-{name}", "type": "message"}])
        else:
            self.strike(fault)

    def _cancel(self, letter: object, name: object) -> None:
        if self.active is None or self.active[0] != name:
            error = {"code": "response_cancel_not_active", "event_id": letter}
            self.say({"type": "error", "error": error})
            return
        self.say(self._delta(str(name), LATE))
        self._end(str(name), "cancelled", [{**CALL, "call_id": f"call-{name}"}])

    def _end(self, name: str, status: str, output: list[dict[str, object]]) -> None:
        """A response is over once this was said, and not before."""

        def over(metadata: object) -> None:
            if self.active is not None and self.active[0] == name:
                self.active = None
                self.calls.update(str(one["call_id"]) for one in output if "call_id" in one)
                self.line.come(**self._done(name, metadata, status, output))

        assert self.active is not None
        self.line.later(partial(over, self.active[1]))

    def _delta(self, name: str, text: str) -> dict[str, object]:
        kind = "response.output_text.delta"
        return {"type": kind, "response_id": name, "item_id": f"a-{name}", "delta": text}

    def _done(
        self, name: str, metadata: object, status: str, output: list[dict[str, object]]
    ) -> dict[str, object]:
        response = {"id": name, "status": status, "metadata": metadata, "output": output}
        return {"type": "response.done", "response": response}
