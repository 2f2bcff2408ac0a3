"""Whatever the order in which things happen, whoever was admitted gets exactly one reply on record."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from actors.gateway.admission import MOST_WAITING
from actors.gateway.core import stopped
from actors.gateway.decisions import Decision, Post, TellCaptain, Typing
from actors.gateway.owed import EARLIER_LIFE
from actors.gateway.replying import LOST_NOTICE, NOTICE, notice_of
from actors.gateway.settings import TextSettings
from actors.gateway.shortening import MOST_CHARACTERS
from messages.attachment import Attachment
from messages.captain import TakeBack
from messages.evidence import TextIngress, TextReply
from messages.gateway import (
    GatewayGone,
    GatewayMessage,
    MessageGone,
    MessageSeen,
    TextAnswered,
    TextOverdue,
    TurnLost,
)
from messages.ids import HandoffId, MessageId, RoomId
from tests.actors.gateway.scene import ANNA, BERT, DEN, HOME, READY, ROBOT
from tests.actors.gateway.writing import LOBBY, lane, receipts

MESSAGES = st.sampled_from([MessageId(str(number)) for number in range(8)])
ROOMS = st.sampled_from([LOBBY, DEN, RoomId("32")])
CHART = Attachment(name="chart.png", kind="image/png", data=b"...")
WRITTEN = st.builds(
    MessageSeen,
    message=MESSAGES,
    room=ROOMS,
    guild=st.sampled_from([HOME, None]),
    person=st.sampled_from([ANNA, BERT, ROBOT]),
    text=st.sampled_from(["", "hello", "Clankie, hello"]),
    mentions_him=st.booleans(),
    images=st.sampled_from([0, 0, 1]),
)
ANSWERED = st.builds(
    TextAnswered,
    room=ROOMS,
    message=MESSAGES,
    text=st.sampled_from(["", "Hi.", "long " * 900]),
    failed=st.sampled_from(["", "", "stalled", "busy", "captain_closed"]),
    attachments=st.sampled_from([(), (), (CHART,)]),
    along=st.lists(MESSAGES, max_size=2, unique=True).map(tuple),
)
APOLOGIES = (NOTICE, LOST_NOTICE, notice_of("stalled"))
GONE = GatewayGone(reason="bad_token", remedy="Enter another token.")
EVENTS: st.SearchStrategy[GatewayMessage] = st.one_of(
    WRITTEN,
    WRITTEN,
    ANSWERED,
    ANSWERED,
    st.builds(TextOverdue, message=MESSAGES),
    st.builds(MessageGone, room=ROOMS, message=MESSAGES),
    st.builds(TurnLost, handoff=st.just(HandoffId("lost")), room=ROOMS, message=MESSAGES),
    st.sampled_from([GONE, READY]),
)
STEPS = st.lists(st.tuples(EVENTS, st.floats(0.0, 400.0)), max_size=40)


def check_records(decided: list[Decision]) -> None:
    records = receipts(tuple(decided))
    ingress = [one for one in records if isinstance(one, TextIngress)]
    replies = [one for one in records if isinstance(one, TextReply)]
    admitted = [one.message_id for one in ingress if one.outcome == "admitted"]
    own = [one.message_id for one in replies if one.reason != EARLIER_LIFE]
    assert Counter(own) == Counter(admitted)
    assert max(Counter(one.message_id for one in replies).values(), default=0) <= 1
    assert max(Counter(one.message_id for one in ingress).values(), default=0) <= 1
    assert all(one.latency_ms >= 0 for one in replies)
    posted = [one.message_id for one in replies if one.outcome == "posted"]
    posts = [one for one in decided if isinstance(one, Post) and not one.text.startswith(APOLOGIES)]
    assert [one.reply_to for one in posts] == posted
    assert all(one.text or one.attachments for one in posts)
    assert all(len(one.text) <= MOST_CHARACTERS for one in posts)
    told = [one.message for one in decided if isinstance(one, TellCaptain)]
    unwanted = [one.message_id for one in replies if one.outcome == "taken_back" or one.reason == "overdue"]
    assert [one.handoff for one in told if isinstance(one, TakeBack)] == [f"text-{m}" for m in unwanted]


@settings(max_examples=150, deadline=None)
@given(steps=STEPS, everything=st.booleans(), in_voice=st.booleans())
def test_every_admitted_message_has_exactly_one_reply_on_record(
    steps: list[tuple[GatewayMessage, float]], everything: bool, in_voice: bool
) -> None:
    gateway = lane(TextSettings(reply_policy="all" if everything else "addressed"), in_voice=in_voice)
    decided: list[Decision] = []
    seen_typing: dict[RoomId, bool] = {}
    for event, wait in steps:
        gateway.now += wait
        now = gateway.see(event)
        decided += now
        seen_typing = {} if event == GONE else seen_typing
        seen_typing |= {one.room: one.on for one in now if isinstance(one, Typing)}
        assert {room for room, on in seen_typing.items() if on} == {
            one.room for one in gateway.state.text.waiting
        }
        assert len(gateway.state.text.waiting) <= MOST_WAITING
        assert all(0 < left <= 5 for left in gateway.state.text.engaged.values())
    decided += stopped(gateway.state, gateway.now, "shutdown")
    check_records(decided)
