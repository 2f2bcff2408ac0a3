"""What was said aloud, or may be another's wish, can ask for something weighty; only a button says yes."""

from __future__ import annotations

from dataclasses import replace

from actors.captain import answering, telling
from actors.captain.decisions import TellGateway
from actors.captain.journalling import labels
from actors.captain.state import Call, CallStage, State, Turn
from messages.authority import Need, Surface
from messages.captain import Answering
from messages.gateway import ConfirmAsked, ConfirmDropped
from messages.ids import NO_GUILD, ConfirmationId
from messages.tools import UseMachine

BUTTON_SECONDS = 70.0
"""How much longer than another tool one may take that waits for somebody; the account gives up before."""
_LONGEST_NAMES = 100
_LONGEST_ARGUMENTS = 1_200
"""What nobody can read whole, nobody can say yes to."""


def ask(state: State, turn: Turn, call: Call, need: Need) -> State:
    """Show in the room's chat who asked for what, all of it."""
    if turn.room is None:
        return answering.answer(state, turn, call, telling.refused("unsupported"))
    if len(_arguments(call)) > _LONGEST_ARGUMENTS:
        return answering.answer(state, turn, call, telling.refused("too_long_to_confirm"))
    waiting = replace(
        call,
        stage=CallStage.CONFIRMING,
        due=state.now + state.settings.tool_seconds + BUTTON_SECONDS,
    )
    asked = ConfirmAsked(
        confirmation=_name(turn, call),
        room=turn.room,
        guild=next((one.guild for one in turn.askers), NO_GUILD),
        text=_text(turn, call),
        tier=need.tier,
        reply_to=Answering(handoff=turn.id, call=call.id, captain=state.here),
    )
    return state.with_turn(turn.with_call(waiting)).do(TellGateway(message=asked))


def drop(state: State, turn: Turn, call: Call) -> State:
    """Take the buttons away, if there are any."""
    if call.stage is not CallStage.CONFIRMING:
        return state
    return state.do(TellGateway(message=ConfirmDropped(confirmation=_name(turn, call))))


def _name(turn: Turn, call: Call) -> ConfirmationId:
    return ConfirmationId(f"{turn.id}-{call.id}")


def _text(turn: Turn, call: Call) -> str:
    """At most 1,500 characters, of which none can leave the code block: only the frame is his own word."""
    who = _plain(labels(turn.first))[:_LONGEST_NAMES]
    how = "asked by" if turn.surface is Surface.TEXT else "asked aloud by"
    lines = (f"{how}: {who}", f"tool: {_plain(call.name)}", f"with: {_arguments(call)}")
    block = "\n".join(lines)
    return f"May I do this?\n```\n{block}\n```"


def _arguments(call: Call) -> str:
    return _plain(call.request.arguments if isinstance(call.request, UseMachine) else "")


def _plain(text: str) -> str:
    """On one line, and without a sign that could end a code block."""
    shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return shown.replace("`", "ˋ")
