"""Whoever names ever new people, streams and items is remembered only so far."""

from __future__ import annotations

from actors.voice.live.books import Counts
from actors.voice.media import acts, mail
from actors.voice.media.people import MOST
from tests.actors.capture.live.ear import Ear
from tests.actors.voice.media.hearing import Hearing
from tests.actors.voice.media.line import frame, up
from tests.reliability.fuzz.targets.minds import _Mind

NAMES = range(1_000_000, 1_000_000 + MOST + 3_000)
MANY = range(3_000)


def test_a_voice_server_that_names_ever_new_people_is_not_believed_for_ever() -> None:
    line = up()
    named: frozenset[int] = frozenset()
    for at in range(0, len(NAMES), 1_000):
        for act in line.op(11, {"user_ids": [str(user) for user in NAMES[at : at + 1_000]]}):
            named = act.users if isinstance(act, acts.PeopleNow) else named
    assert len(named) == MOST
    assert len(line.link._grouping._known) <= MOST + 1_000


def test_of_ever_new_speakers_so_many_are_known() -> None:
    line = up()
    told = sum(len(line.text(frame(5, {"ssrc": user, "user_id": user}))) for user in NAMES)
    assert told == MOST == len(line.link._people._heard)


def test_of_people_who_go_without_having_come_nothing_stays() -> None:
    hearing = Hearing()
    before = len(list(hearing.listening._owners))
    for user in MANY:
        hearing.listening.departed(user + 1_000)
    for ssrc in MANY:
        hearing.listening.speaker(ssrc, 11)
    owners = hearing.listening._owners
    assert len(list(owners)) == before
    assert len(owners._owners) == 1
    assert len(owners._former) <= 64


def test_a_media_process_that_counts_ever_new_people_is_not_believed_for_ever() -> None:
    counts = Counts()
    for user in NAMES:
        counts.take(mail.Tally(user=user, decoded=1, unread=0))
    counts.take(mail.Tally(user=NAMES[0], decoded=5, unread=0))
    told = counts.told()
    assert len(told) == MOST
    assert told[0].decoded == 5


def test_of_ever_new_items_and_responses_of_a_mind_the_latest_are_known() -> None:
    mind = _Mind()
    for number in MANY:
        item = {"id": f"i{number}", "type": "message"}
        mind.dial.last.come(type="conversation.item.added", item=item, previous_item_id=None)
        mind.dial.last.come(type="response.output_item.added", response_id=f"r{number}", item=item)
    assert mind.port._talk is not None
    ledger = mind.port._talk._session._ledger
    assert max(len(ledger._behind), len(ledger._spoken), len(ledger._moved)) <= 64


def test_of_ever_new_items_of_an_ear_the_latest_are_known() -> None:
    ear = Ear()
    ear.say()
    ear.line.open()
    for number in MANY:
        ear.committed(f"i{number}")
        ear.more(f"x{number}", "word")
    assert ear.port._session is not None
    assert len(ear.port._session._ledger._items) <= 256
