"""What the sound link does to a stay: only sound that flows makes him joined."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from actors.stay import hindrance, leaving, orders, people
from actors.stay.decisions import Decision, Record, Step, TellFloor, TellGateway, TellVoice
from actors.stay.state import Awaited, Phase, State
from messages.evidence import Degraded, Joined
from messages.floor import JustJoined, RosterTold
from messages.gateway import StayJoined
from messages.stay import (
    EndStay,
    LeftReason,
    LinkClosed,
    LinkDegraded,
    LinkGone,
    LinkOpened,
    LinkPrivate,
    LinkReady,
)
from messages.voice import MicrophoneCount, OpenLink, OpenMicrophone

LinkNews: TypeAlias = LinkOpened | LinkReady | LinkPrivate | LinkDegraded | LinkGone | LinkClosed


def changed(state: State, event: LinkNews, now: float) -> Step:
    if state.moving and not isinstance(event, LinkOpened | LinkClosed):
        return state, ()  # it is the link of the room that he was in
    match event:
        case LinkOpened():
            # Where there was a link, it went with an earlier life of its room.
            state, lost = _down(state, "voice_restarted")
            return state, (*lost, *connect(state))
        case LinkReady():
            return _up(state, event, now)
        case LinkPrivate():
            return replace(state, privacy_code=event.privacy_code), ()
        case LinkDegraded():
            return _down(state, event.reason)
        case LinkGone():
            return _gone(state, event)
        case LinkClosed():
            state = replace(state, counts=_added(state.counts, event.counts))
            return leaving.end(state, now) if state.phase is Phase.CLOSING else (state, ())
        case _:
            assert_never(event)


def connect(state: State) -> tuple[Decision, ...]:
    """Ask for the link of the room that he is in, and for every microphone that may be open."""
    if state.is_over() or state.moving:
        return ()
    microphones = (
        TellVoice(message=OpenMicrophone(person=ear.person, capture=ear.capture, sink=ear.sink))
        for ear in state.ears
        if ear.sink is not None
    )
    return (TellVoice(message=OpenLink(room=state.room)), *microphones)


def _up(state: State, event: LinkReady, now: float) -> Step:
    state = replace(state, encryption=event.encryption, link_trouble="")
    if state.phase is not Phase.DEGRADED:
        return arrived(state, Awaited.LINK, now)
    restored = Degraded(stay_id=state.stay_id, phase="restored", reason="link_up")
    return replace(state, phase=Phase.ACTIVE), (Record(receipt=restored),)


def arrived(state: State, what: Awaited, now: float) -> Step:
    """One more thing that he needs is there; with the last of them he has joined."""
    state = replace(state, awaited=state.awaited - {what})
    if state.phase is not Phase.JOINING or state.awaited:
        return state, ()
    state = replace(state, phase=Phase.ACTIVE, joined_at=now, token=state.token + 1)
    joined = Joined(
        stay_id=state.stay_id,
        room_id=state.room,
        humans=state.humans(),
        bots=len(state.people) - state.humans(),
        encryption=state.encryption,
    )
    decisions: tuple[Decision, ...] = (
        Record(receipt=joined),
        TellGateway(message=StayJoined(stay=state.stay_id)),
        TellFloor(message=RosterTold(people=state.presences(), change=None, who=None)),
        # A hush that was ordered meanwhile comes before the greeting.
        *orders.joined(state),
        TellFloor(message=JustJoined()),
    )
    state, granted = people.granted_by_presence(state)
    return state, (*decisions, *hindrance.seen(state), *granted)


def _down(state: State, reason: str) -> Step:
    if state.phase is not Phase.ACTIVE:
        return state, ()
    lost = Degraded(stay_id=state.stay_id, phase="lost", reason=reason)
    state = replace(state, phase=Phase.DEGRADED, link_trouble=reason, privacy_code="")
    return state, (Record(receipt=lost),)


def _gone(state: State, event: LinkGone) -> Step:
    if state.is_over():
        return state, ()
    state = replace(state, link_failure=event.reason)
    reason = LeftReason.JOIN_FAILED if state.joined_at is None else LeftReason.MEDIA_LOST
    return leaving.leave(state, EndStay(reason=reason, after_speech=False))


def _added(
    counts: tuple[MicrophoneCount, ...], more: tuple[MicrophoneCount, ...]
) -> tuple[MicrophoneCount, ...]:
    """Each life of the link counts for itself; a person is counted once."""
    sums = {one.person: one for one in counts}
    for one in more:
        before = sums.get(one.person, MicrophoneCount(person=one.person, decoded=0, unread=0))
        sums[one.person] = replace(
            before, decoded=before.decoded + one.decoded, unread=before.unread + one.unread
        )
    return tuple(sums.values())
