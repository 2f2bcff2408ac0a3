"""What becomes of stays when the account is moved, removed, hindered, lost and found again."""

from __future__ import annotations

from dataclasses import replace

from actors.gateway.core import step
from actors.gateway.decisions import Enter, Leave, Record, Warn
from actors.gateway.state import State
from messages.evidence import BridgeReady, BridgeStopped
from messages.gateway import (
    GatewayAway,
    GatewayBack,
    GatewayGone,
    GatewayReady,
    OwnVoiceHindered,
    Room,
    RoomLost,
    RoomRoster,
    RoomSeen,
    StayEnded,
)
from messages.ids import RoomId
from messages.stay import EndStay, LeftReason, MovedToRoom, RemovedFromRoom, RosterKnown, VoiceHindered
from tests.actors.gateway.scene import (
    ANNA,
    ATTIC,
    BAR,
    BERT,
    CLUB,
    DEN,
    HOME,
    NOW,
    ONLINE,
    OPENED,
    OWNED,
    READY,
    ROBOT,
    ROOMS,
    S1,
    S2,
    SECOND,
    after,
    decided,
    in_both,
    inside,
    join,
    leave,
    operator,
    refused,
    seen,
    start,
    tells,
    told,
)

LOST = EndStay(reason=LeftReason.GATEWAY_LOST, after_speech=False)
MOVED = EndStay(reason=LeftReason.MOVED, after_speech=False)
CONNECTED = Record(receipt=BridgeReady(rooms=3))
GONE = GatewayGone(reason="bad_token", remedy="Enter another token.")


def only_den() -> State:
    return start(replace(OWNED, channels=(11,)))


# --- moved and removed


def test_moved_to_a_room_where_he_may_be_the_stay_goes_on_there() -> None:
    state, decisions = inside(RoomRoster(room=ATTIC, people=(BERT,)), seen(ATTIC))
    assert decisions == told(MovedToRoom(room=ATTIC, people=(BERT,)))
    assert state.at(ATTIC) is not None
    assert decided(state, RoomRoster(room=ATTIC, people=())) == told(RosterKnown(people=()))
    assert decided(state, RoomRoster(room=DEN, people=())) == ()
    assert decided(state, StayEnded(stay=S1, failed=None)) == (Leave(room=ATTIC),)


def test_moved_to_where_he_may_not_be_he_leaves_that_room() -> None:
    state, decisions = inside(seen(ATTIC), state=only_den())
    assert decisions == told(MOVED)
    assert decided(state, seen(None)) == ()
    assert decided(state, join()) == (refused("leaving"),)
    assert decided(state, StayEnded(stay=S1, failed=None)) == (Leave(room=ATTIC),)


def test_who_is_put_out_is_removed_once_and_only_after_having_been_inside() -> None:
    state, decisions = inside(seen(None))
    assert decisions == told(RemovedFromRoom())
    assert step(state, seen(None), NOW, S2) == (state, ())
    assert decided(state, join()) == (refused("leaving"),)
    assert after(*ONLINE, join(), OPENED, seen(None))[1] == ()
    assert after(*ONLINE, join(), OPENED, seen(ATTIC))[1] == ()


def test_who_is_leaving_anyway_is_neither_removed_nor_moved() -> None:
    assert inside(leave(), seen(None))[1] == ()
    assert inside(leave(), seen(ATTIC))[1] == ()


def test_late_news_of_an_earlier_stay_does_not_touch_the_next_one() -> None:
    again, _ = inside(seen(None), StayEnded(stay=S1, failed=None), join(), OPENED)
    assert step(again, seen(None), NOW, S2) == (again, ())
    nobody, _ = after(*ONLINE)
    assert step(nobody, seen(None), NOW, S2) == (nobody, ())


def test_what_happens_to_him_in_one_guild_changes_nothing_in_another() -> None:
    both = in_both()
    assert decided(both, seen(None, CLUB)) == told(RemovedFromRoom(), stay=SECOND)
    assert decided(both, seen(ATTIC)) == told(MovedToRoom(room=ATTIC, people=()))
    muted = OwnVoiceHindered(guild=CLUB, hindrance="server_muted")
    assert decided(both, muted) == told(VoiceHindered(hindrance="server_muted"), stay=SECOND)


# --- rooms that come and go


def test_a_room_that_is_lost_puts_him_out_and_a_room_that_is_seen_can_be_joined() -> None:
    state, decisions = inside(RoomLost(room=DEN))
    assert decisions == told(RemovedFromRoom())
    assert (DEN in state.rooms, DEN in state.people) == (False, False)
    assert step(state, RoomLost(room=DEN), NOW, S2) == (state, ())
    assert inside(RoomLost(room=ATTIC))[1] == ()
    cellar = Room(id=RoomId("13"), guild=HOME, name="cellar")
    state, _ = after(READY, RoomSeen(room=cellar))
    assert state.rooms[cellar.id] == cellar


# --- hindered


def test_a_hindrance_that_is_older_than_the_stay_is_told_when_it_opens() -> None:
    suppressed = OwnVoiceHindered(guild=HOME, hindrance="suppressed")
    _, decisions = after(*ONLINE, suppressed, join(), OPENED)
    assert told(VoiceHindered(hindrance="suppressed"))[0] in decisions


# --- lost and found


def test_a_second_ready_enters_every_room_again_that_is_still_there() -> None:
    both = in_both()
    state, decisions = step(both, READY, NOW, S2)
    assert decisions == (CONNECTED, Enter(room=DEN), Enter(room=BAR))
    assert step(state, seen(None), NOW, S2) == (state, ())
    state, decisions = step(state, RoomRoster(room=DEN, people=(ANNA, BERT)), NOW, S2)
    assert decisions == told(RosterKnown(people=(ANNA, BERT)))
    state, decisions = step(both, GatewayReady(account=ROBOT, rooms=ROOMS[:2]), NOW, S2)
    two = Record(receipt=BridgeReady(rooms=2))
    assert decisions == (two, Enter(room=DEN), *told(LOST, stay=SECOND))


def test_after_a_second_ready_nothing_of_before_is_believed() -> None:
    muted = OwnVoiceHindered(guild=HOME, hindrance="server_muted")
    state, decisions = after(*ONLINE, muted, READY, join(room=DEN), OPENED)
    assert tells(decisions) == told(RosterKnown(people=()))
    assert state.whereabouts(ANNA.id) == ()


def test_a_second_ready_enters_for_no_stay_that_does_not_live_or_is_leaving() -> None:
    assert after(*ONLINE, join(), READY)[1] == (CONNECTED,)
    assert inside(leave(), READY)[1] == (CONNECTED,)


def test_while_the_account_is_away_stays_go_on_and_nobody_is_joined() -> None:
    away, decisions = inside(GatewayAway(reason="closed_4000"))
    assert decisions == ()
    assert (away.trouble, away.stays[0].ending) == ("closed_4000", None)
    assert away.remedy == "nothing has to be done: it is being connected again"
    assert decided(away, operator(DEN)) == (refused("account_not_ready"),)
    back, _ = step(away, GatewayBack(), NOW, S2)
    assert (back.ready, back.trouble, back.remedy) == (True, "", "")


def test_who_can_mend_what_keeps_the_account_away_is_told_how() -> None:
    away, _ = inside(GatewayAway(reason="proxy_unreachable", remedy="See that the proxy runs."))
    assert (away.trouble, away.remedy) == ("proxy_unreachable", "See that the proxy runs.")


def test_an_account_that_is_gone_ends_every_stay_and_tells_the_operator_what_to_do() -> None:
    state, decisions = step(in_both(), GONE, NOW, S2)
    stopped = Record(receipt=BridgeStopped(reason="bad_token"))
    warning = Warn(reason="bad_token", remedy="Enter another token.")
    assert decisions == (warning, stopped, *told(LOST), *told(LOST, stay=SECOND))
    assert (state.ready, state.trouble, state.remedy) == (False, "bad_token", "Enter another token.")
