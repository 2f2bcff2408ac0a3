"""What the record decides, event by event."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from math import inf

from actors.evidence.core import MAX_WATCHERS, TIDY_SECONDS, step
from actors.evidence.decisions import (
    Answer,
    AnswerPurge,
    AnswerReceipts,
    Append,
    Decision,
    Log,
    Purge,
    Retry,
    Show,
    Sync,
    Tidy,
    Wake,
)
from actors.evidence.events import Dropped, Private, Unfit, Written
from actors.evidence.files import Stream
from actors.evidence.purging import MOST_WAITING, purged
from actors.evidence.recent import MOST_STAYS
from actors.evidence.state import State
from messages import evidence as say
from messages.ids import PersonId, StayId, Token, UtteranceId
from tests.probe import Probe

DAY = date(2026, 1, 1)
NEW = State(sync_s=0.2, retry_s=5, flush_s=2, token=Token(0), tidy_at=inf)
RECORDED = say.Recorded(
    receipt=say.Left(stay_id=StayId("s"), reason="shutdown", duration_ms=1), at=0.0, json_line="{}"
)
RECEIPT = Written(recorded=RECORDED, day=DAY)
LINE = Append(stream=Stream.RECEIPTS, day=DAY, line="{}")
FULL = say.SinkFailed(reason="ENOSPC", remedy="make room")
HEARD = say.HeardWords(stay_id=StayId("s"), person_id=PersonId("p"), label="Ann", text="hi", typed=False)
SPOKEN = say.SpokenWords(stay_id=StayId("s"), utterance_id=UtteranceId("u"), text="hello", whole=True)

Watcher = Probe[say.Recorded | say.PrivateWords]


def after(*events: object, state: State = NEW, now: float = 0.0) -> tuple[State, tuple[Decision, ...]]:
    """The state after all events at one moment, and what the last one decided."""
    decisions: tuple[Decision, ...] = ()
    for event in events:
        state, decisions = step(state, event, now)  # type: ignore[arg-type]
    return state, decisions


def written(receipt: say.Receipt) -> Written:
    return Written(recorded=say.Recorded(receipt=receipt, at=0.0, json_line="{}"), day=DAY)


def watch(watcher: Watcher, *, may_see_words: bool = False) -> say.Watch:
    return say.Watch(watcher=watcher, may_see_words=may_see_words)


def test_a_receipt_is_written_and_one_sync_serves_all_that_come_until_then() -> None:
    state, decisions = after(RECEIPT)
    assert decisions == (LINE, Wake(seconds=0.2, message=say.EvidenceTick()))
    state, decisions = after(RECEIPT, state=state, now=0.1)
    assert decisions == (LINE,)
    assert after(say.EvidenceTick(), state=state, now=0.1)[1] == ()
    state, decisions = after(say.EvidenceTick(), state=state, now=0.2)
    assert decisions == (Sync(token=Token(1)),)
    assert after(say.EvidenceTick(), state=state, now=9)[1] == ()
    assert after(RECEIPT, state=state, now=0.3)[1] == (LINE, Wake(seconds=0.2, message=say.EvidenceTick()))
    assert state.recorded == 2


def test_everybody_who_watches_is_shown_receipts() -> None:
    one, two = Watcher(), Watcher()
    _, decisions = after(watch(one), watch(two, may_see_words=True), RECEIPT)
    assert decisions[1:3] == (Show(watcher=one, what=RECORDED), Show(watcher=two, what=RECORDED))


def test_words_are_shown_only_to_those_who_may_see_them_and_kept_only_if_that_is_wanted() -> None:
    one, two = Watcher(), Watcher()
    state, _ = after(watch(one), watch(two, may_see_words=True))
    shown = Show(watcher=two, what=SPOKEN)
    assert after(Private(words=SPOKEN, day=DAY, line=None), state=state)[1] == (shown,)
    assert after(Private(words=HEARD, day=DAY, line="{hi}"), state=state)[1] == (
        Append(stream=Stream.TRANSCRIPT, day=DAY, line="{hi}"),
        Show(watcher=two, what=HEARD),
        Wake(seconds=0.2, message=say.EvidenceTick()),
    )


def test_watching_again_changes_what_may_be_seen_and_does_not_show_twice() -> None:
    one = Watcher()
    state, _ = after(watch(one), watch(one, may_see_words=True))
    assert state.watchers == (watch(one, may_see_words=True),)


def test_beyond_the_bound_the_oldest_watcher_is_forgotten() -> None:
    watchers = [watch(Watcher()) for _ in range(MAX_WATCHERS + 2)]
    assert after(*watchers)[0].watchers == tuple(watchers[2:])


def test_whoever_asks_what_happened_last_is_told_the_last_ten_of_that_stay_alone() -> None:
    asker = Probe[say.ReceiptsKnown]()
    floors = [say.Floor(stay_id=StayId("s"), state=f"state {number}") for number in range(12)]
    turn = say.Volition(stay_id=StayId("s"), outcome="taken")
    receipts: tuple[say.Receipt, ...] = (
        *floors,
        say.Floor(stay_id=StayId("other"), state="engaged"),
        turn,
        say.BridgeReady(rooms=1),
    )
    state, _ = after(*map(written, receipts))
    asked = say.ReceiptsAsked(stay=StayId("s"), reply_to=asker)
    known = say.ReceiptsKnown(receipts=(*floors[-9:], turn), floor="state 11")
    assert after(asked, state=state)[1] == (AnswerReceipts(asker=asker, known=known),)
    state, _ = after(RECEIPT, state=state)
    nothing = AnswerReceipts(asker=asker, known=say.ReceiptsKnown(receipts=(), floor=""))
    assert after(asked, state=state)[1] == (nothing,)


def test_of_more_stays_than_it_keeps_the_one_unheard_of_for_longest_is_forgotten() -> None:
    def floor(name: int) -> Written:
        return written(say.Floor(stay_id=StayId(str(name)), state="engaged"))

    state, _ = after(*map(floor, range(MOST_STAYS)), floor(0), floor(MOST_STAYS))
    assert [one.stay for one in state.recent] == ["2", "3", "4", "5", "6", "7", "0", "8"]


def test_a_flush_is_answered_when_its_sync_or_a_later_one_is_done() -> None:
    one, two = Probe[say.Flushed](), Probe[say.Flushed]()
    state, decisions = after(say.Flush(done=one))
    assert decisions == (Sync(token=Token(1)), Wake(seconds=2, message=say.EvidenceTick()))
    state, _ = after(say.Flush(done=two), state=state)
    assert after(say.SinkSynced(token=Token(0)), state=state)[1] == ()
    state, decisions = after(say.SinkSynced(token=Token(2)), state=state)
    assert decisions == (Answer(done=one, lost=0, failed=""), Answer(done=two, lost=0, failed=""))
    assert state.waiting == ()


def test_nobody_waits_for_a_flush_beyond_its_deadline() -> None:
    one = Probe[say.Flushed]()
    state, _ = after(say.Flush(done=one))
    assert after(say.EvidenceTick(), state=state, now=1.9)[1] == ()
    state, decisions = after(say.EvidenceTick(), state=state, now=2)
    assert decisions == (Answer(done=one, lost=0, failed="ETIMEDOUT"),)
    assert after(say.SinkSynced(token=Token(1)), state=state)[1] == ()


def test_a_disk_that_fails_is_said_once_and_tried_again_every_five_seconds() -> None:
    state, decisions = after(RECEIPT, FULL)
    assert decisions == (
        Log(text="evidence cannot be written (ENOSPC): make room"),
        Wake(seconds=5, message=say.EvidenceTick()),
    )
    assert after(say.EvidenceTick(), state=state, now=4.9)[1] == ()
    state, decisions = after(say.EvidenceTick(), state=state, now=5)
    assert decisions == (Retry(),)
    assert after(say.EvidenceTick(), state=state, now=11)[1] == ()
    state, decisions = after(FULL, state=state, now=5.1)
    assert decisions == (Wake(seconds=5, message=say.EvidenceTick()),)


def test_another_reason_is_said_too() -> None:
    other = say.SinkFailed(reason="EACCES", remedy="let him write")
    assert after(FULL, other)[1][0] == Log(text="evidence cannot be written (EACCES): let him write")


def test_while_the_disk_fails_receipts_still_go_to_the_sink_and_no_sync_is_ordered() -> None:
    assert after(FULL, RECEIPT)[1] == (LINE,)


def test_a_failing_disk_answers_those_who_wait_and_those_who_ask() -> None:
    one, two = Probe[say.Flushed](), Probe[say.Flushed]()
    state, decisions = after(say.Flush(done=one), FULL)
    assert decisions[2:] == (Answer(done=one, lost=0, failed="ENOSPC"),)
    assert after(say.Flush(done=two), state=state)[1] == (Answer(done=two, lost=0, failed="ENOSPC"),)


def test_a_disk_that_works_again_is_said_and_synced() -> None:
    state, decisions = after(FULL, Dropped(), say.SinkRestored())
    assert decisions == (
        Log(text="evidence is written again; lost so far: 1"),
        Wake(seconds=0.2, message=say.EvidenceTick()),
    )
    assert state.failing is None
    assert after(say.EvidenceTick(), state=state, now=5)[1] == (Sync(token=Token(1)),)


def test_lines_lost_to_a_slow_disk_are_counted_one_by_one_and_said_once() -> None:
    state, decisions = after(Dropped())
    assert [type(each) for each in decisions] == [Log]
    state, decisions = after(Dropped(), state=state)
    assert (state.lost, decisions) == (2, ())
    state, decisions = after(say.SinkSynced(token=Token(0)), Dropped(), state=state)
    assert (state.lost, len(decisions)) == (3, 1)


def test_lines_lost_to_a_failing_disk_are_only_counted() -> None:
    state, decisions = after(FULL, Dropped())
    assert (state.lost, decisions) == (1, ())


def test_a_receipt_that_breaks_the_schema_is_lost_and_said_without_its_content() -> None:
    state, decisions = after(Unfit(kind="left", reason="reason: string_too_long"))
    text = "a receipt was not recorded: left breaks the schema at reason: string_too_long"
    assert (state.lost, decisions) == (1, (Log(text=text),))


def purge(person: str, done: Probe[say.Purged] | None = None) -> say.PurgePerson:
    return say.PurgePerson(person=PersonId(person), receipts=True, done=done)


def test_old_files_are_looked_for_every_minute_and_at_once_in_a_new_life() -> None:
    again = (Tidy(), Wake(seconds=TIDY_SECONDS, message=say.EvidenceTick()))
    state, decisions = after(say.EvidenceTick(), state=replace(NEW, tidy_at=-inf), now=1)
    assert decisions == again
    assert after(say.EvidenceTick(), state=state, now=60)[1] == ()
    assert after(say.EvidenceTick(), state=state, now=61)[1] == again


def test_a_purge_goes_to_the_sink_and_its_answer_to_whoever_asked() -> None:
    asker = Probe[say.Purged]()
    state, decisions = after(purge("p", asker))
    assert decisions == (Purge(token=Token(1), person=PersonId("p"), receipts=True),)
    assert after(say.SinkPurged(token=Token(9), lines=1, receipts=1), state=state) == (state, ())
    done = say.SinkPurged(token=Token(1), lines=2, receipts=3, failed="EIO")
    state, decisions = after(done, state=state)
    answer = say.Purged(person=PersonId("p"), lines=2, receipts=3, failed="EIO")
    assert decisions == (AnswerPurge(done=asker, purged=answer),)
    assert state.purges == ()


def test_a_purge_that_nobody_waits_for_is_carried_out_and_answered_to_nobody() -> None:
    state, decisions = after(purge("p"))
    assert len(decisions) == 1
    assert after(say.SinkPurged(token=Token(1), lines=0, receipts=0), state=state)[1] == ()


def test_beyond_the_bound_purges_are_refused_at_once() -> None:
    asker = Probe[say.Purged]()
    _, decisions = after(*[purge(str(number)) for number in range(MOST_WAITING)], purge("p", asker))
    assert decisions == (AnswerPurge(done=asker, purged=purged(PersonId("p"), failed="EBUSY")),)


def test_a_captain_is_told_no_more_of_whoever_was_purged() -> None:
    engaged = say.Floor(stay_id=StayId("s"), state="engaged", holder_id=PersonId("p"))
    offered = say.Volition(stay_id=StayId("s"), outcome="offered")
    captain = Probe[say.ReceiptsKnown]()
    asked = say.ReceiptsAsked(stay=StayId("s"), reply_to=captain)
    _, decisions = after(written(engaged), written(offered), purge("p"), asked)
    known = say.ReceiptsKnown(receipts=(offered,), floor="engaged")
    assert decisions == (AnswerReceipts(asker=captain, known=known),)
