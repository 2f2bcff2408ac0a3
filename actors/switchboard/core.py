"""One call is one guild's voice: who wants him where, what Discord said of it, and which order is unanswered.

Pure. Discord is asked with one order, "op 4", to be in a channel or in none; it answers with his voice
state and with a voice server, in no promised order, or not at all. A state and a server that came together
are good for one voice connection, so a new connection needs a new pair: he leaves, waits for the empty
state, and asks again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from actors.switchboard.acts import Act, Dial, HangUp, TellServer, TellState, TellUnreachable
from messages.ids import RoomId


class Phase(StrEnum):
    """Which order is under way."""

    QUIET = "quiet"
    DIALING = "dialing"
    HANGING_UP = "hanging_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """`wanted` is where he shall be, `channel` where he is, `told` where the gateway believes him to be.

    While dialing, `session` is None until the state of the wanted channel has come. While hanging up with
    something wanted, he dials again as soon as he is out. `server` (token, endpoint) is one that no listener
    has had yet. `order` names the last op 4, which may be `repeated` once.
    """

    wanted: int | None = None
    phase: Phase = Phase.QUIET
    session: str | None = None
    channel: int | None = None
    server: tuple[str, str] | None = None
    told: int | None = None
    listening: bool = False
    repeated: bool = False
    order: int = 0


Step: TypeAlias = tuple[Call, tuple[Act, ...]]
Heard: TypeAlias = tuple[Call, tuple[Act, ...], bool]

# --- what is wanted -------------------------------------------------------------------------------


def enter(call: Call, channel: int) -> Step:
    """He shall be in this channel; nothing is asked twice."""
    if call.wanted == channel and (call.phase is not Phase.QUIET or call.channel == channel):
        return call, ()
    if call.phase is Phase.HANGING_UP:
        # The farewell that was ordered before is no news any more: he is about to come.
        told = None if call.wanted is None else call.told
        return replace(call, wanted=channel, told=told), ()
    return _dial(call, channel)


def leave(call: Call) -> Step:
    """He shall be nowhere."""
    if call.phase is Phase.HANGING_UP:
        return replace(call, wanted=None), ()
    if call.phase is Phase.QUIET and call.channel is None:
        return _out(call), ()
    return _hang_up(replace(call, wanted=None))


def connect(call: Call, channel: int) -> Step:
    """A listener wants a pair of its own for this channel."""
    call = replace(call, listening=True)
    if call.phase is not Phase.QUIET or call.channel != channel:
        return enter(call, channel)
    unused = _hand_over(call)
    return unused if unused[1] else _hang_up(replace(call, wanted=channel))


def redial(call: Call) -> Step:
    """The listener's pair is used up."""
    if call.wanted is None:
        return call, (TellUnreachable(reason="left"),)
    if call.phase is not Phase.QUIET:
        return call, ()
    return _dial(call, call.wanted) if call.channel is None else _hang_up(call)


# --- what is heard --------------------------------------------------------------------------------


def state(call: Call, session: str | None, channel: int | None) -> Heard:
    """His own voice state; the last of the three says whether that is news for the gateway."""
    if channel is None or session is None:
        return _null(call)
    if call.phase is Phase.HANGING_UP:
        return call, (), False
    if call.phase is Phase.DIALING and call.session is None and channel != call.wanted:
        # A change of the microphone where he was before.
        return replace(call, channel=channel), (), False
    if call.wanted is None:
        return *_hang_up(call), False
    return _present(call, session, channel)


def server(call: Call, token: str, endpoint: str | None) -> Step:
    """A voice server; without an endpoint another one will follow."""
    expected = call.phase is Phase.DIALING or (call.phase is Phase.QUIET and call.channel is not None)
    if not expected:
        return call, ()
    if endpoint is None:
        wait = (TellServer(token=token, endpoint=None),)
        told = call.listening and call.phase is Phase.QUIET
        return replace(call, server=None), wait if told else ()
    if call.phase is Phase.DIALING or not call.listening:
        return _settle(replace(call, server=(token, endpoint)))
    return call, (TellServer(token=token, endpoint=endpoint),)


def overdue(call: Call, order: int) -> Step:
    """Nothing came of that order in time: once more, and then no more."""
    if order != call.order or call.phase is Phase.QUIET:
        return call, ()
    if not call.repeated:
        return _again(replace(call, repeated=True))
    if call.wanted is None:
        return _out(call), ()
    call = replace(call, phase=Phase.QUIET)
    return call, (TellUnreachable(reason="no_answer"),) if call.listening else ()


def resumed(call: Call) -> Step:
    """The account is back, and was told all that it missed: an order without an answer got lost."""
    return (call, ()) if call.phase is Phase.QUIET else _again(call)


def found(call: Call, session: str | None, channel: int | None) -> Heard:
    """How the account finds itself after it has connected anew: nothing that was under way counts any more.

    The gateway knows nothing then, so where he is now or gets to is news. A call that goes on is asked for
    once more, so that the new connection knows of it, but nobody waits: its link may well be in order.
    """
    call = replace(call, told=None)
    if channel is None or session is None:
        if call.wanted is None:
            return _out(call), (), False
        return *_dial(replace(call, channel=None, session=None), call.wanted), False
    if call.wanted is None or call.phase is Phase.HANGING_UP:
        return *_hang_up(call), False
    if call.phase is Phase.DIALING:
        return *_dial(call, call.wanted), False
    call, told, news = _present(call, session, channel)
    return call, (*told, Dial(channel=channel)), news


# --- steps ----------------------------------------------------------------------------------------


def _dial(call: Call, channel: int) -> Step:
    call = replace(call, wanted=channel, phase=Phase.DIALING, session=None, server=None)
    return replace(call, repeated=False, order=call.order + 1), (Dial(channel=channel),)


def _hang_up(call: Call) -> Step:
    call = replace(call, phase=Phase.HANGING_UP, session=None, server=None)
    return replace(call, repeated=False, order=call.order + 1), (HangUp(),)


def _again(call: Call) -> Step:
    channel = call.wanted if call.phase is Phase.DIALING else None
    act: Act = HangUp() if channel is None else Dial(channel=channel)
    return replace(call, order=call.order + 1), (act,)


def _out(call: Call) -> Call:
    return Call(listening=call.listening, order=call.order)


def _null(call: Call) -> Heard:
    if call.phase is Phase.HANGING_UP and call.wanted is not None:
        return *_dial(replace(call, channel=None), call.wanted), False
    if call.phase is Phase.DIALING and call.session is None:
        # The end of an earlier call: the answer to this order is still to come.
        return replace(call, channel=None), (), False
    if call.phase is Phase.QUIET and call.channel is None:
        return call, (), False
    over = (TellState(session=None, room=None),) if call.listening else ()
    return _out(call), over, call.told is not None


def _present(call: Call, session: str, channel: int) -> Heard:
    news = channel != call.told
    changed = (session, channel) != (call.session, call.channel)
    call = replace(call, wanted=channel, session=session, channel=channel, told=channel)
    if call.phase is Phase.DIALING:
        return *_settle(call), news
    if not changed:
        return call, (), news
    # A server that came for another channel or session is no good for this one.
    told = (_where(call),) if call.listening else ()
    return replace(call, server=None), told, news


def _settle(call: Call) -> Step:
    if call.session is None or call.server is None:
        return call, ()
    call = replace(call, phase=Phase.QUIET)
    return _hand_over(call) if call.listening else (call, ())


def _hand_over(call: Call) -> Step:
    if call.session is None or call.server is None:
        return call, ()
    token, endpoint = call.server
    return replace(call, server=None), (_where(call), TellServer(token=token, endpoint=endpoint))


def _where(call: Call) -> TellState:
    return TellState(session=call.session, room=RoomId(str(call.channel)))
