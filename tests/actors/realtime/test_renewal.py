"""A conversation that comes to its limit, or is lost while nobody needs it, costs nobody anything."""

import pytest

from actors.realtime.decisions import Add, Cancel, Connect, Decision, Disconnect, Respond
from actors.realtime.items import CallAnswered, Heard, Said
from actors.realtime.settings import RealtimeSettings
from messages import reasons
from messages.evidence import Failed
from messages.floor import Outcome
from messages.ids import CallId, Connection, LineId, ResponseId, TurnId
from messages.realtime import CancelTurn, ConversationLost, LineOverheard, ResponseEnding
from messages.stay import SayInChat
from tests.actors.realtime.talk import (
    BEN,
    ONE,
    R1,
    R2,
    T1,
    T2,
    TWO,
    U1,
    Talk,
    answer,
    brief,
    floor,
    items,
    line,
    only,
    receipts,
    stay,
)

HELLO = line("Hello Clankie")
THREE = Connection(3)


def kinds(decisions: list[Decision]) -> list[type[Decision]]:
    return [type(decision) for decision in decisions]


def lost(talk: Talk, reason: str, connection: Connection = ONE) -> list[Decision]:
    return talk.do(ConversationLost(connection=connection, reason=reason))


def test_an_old_conversation_is_renewed_while_nobody_waits() -> None:
    talk = Talk(RealtimeSettings(hold_seconds=10_000))
    talk.ask(HELLO)
    talk.end()
    assert talk.wait(3299) == []
    done = talk.wait(2)
    assert kinds(done) == [Disconnect, Connect]
    assert only(done, Connect).seed.remembered == (Heard(line=HELLO),)
    done = talk.ask(line("still there?"), turn=T2)
    assert kinds(done) == [Add, Respond]
    assert brief(done).connection == TWO


def test_an_old_conversation_that_is_answering_is_renewed_right_after_it() -> None:
    talk = Talk(RealtimeSettings(hold_seconds=10_000))
    talk.ask(HELLO)
    talk.end()
    talk.wait(3295)
    talk.ask(line("tell me"), turn=T2)
    assert talk.wait(10) == []
    talk.text("Well.", response=R2)
    assert kinds(talk.end(response=R2))[-1] is not Connect
    done = talk.wait(0)
    assert kinds(done) == [Disconnect, Connect]
    assert [one for one in only(done, Connect).seed.remembered if isinstance(one, Said)]


def test_a_turn_that_is_quicker_than_the_timer_renews_it_all_the_same() -> None:
    talk = Talk(RealtimeSettings(hold_seconds=10_000))
    talk.ask(HELLO)
    talk.end()
    talk.now += 3301
    done = talk.ask(line("still there?"), turn=T2)
    assert kinds(done) == [Disconnect, Connect, Add, Respond]
    assert brief(done).connection == TWO


def test_a_conversation_that_nobody_has_used_for_long_is_closed_and_not_renewed() -> None:
    talk = Talk(RealtimeSettings(session_seconds=310, renew_seconds=10))
    talk.ask(HELLO)
    talk.end()
    assert kinds(talk.wait(1000)) == [Disconnect]


def test_an_hour_and_a_half_of_talk_loses_no_line() -> None:
    talk = Talk()
    said, heard = set[str](), set[str]()
    seeded: set[str] = set()
    for minute in range(90):
        turn = TurnId(f"t{minute}")
        overheard = line(f"by the way {minute}", BEN, name=f"b{minute}")
        done = [*talk.do(LineOverheard(line=overheard)), *talk.ask(line(f"and {minute}?"), turn=turn)]
        asked = brief(done)
        talk.text("Yes.", response=asked.response, connection=asked.connection)
        done += [*talk.end(response=asked.response, connection=asked.connection), *talk.wait(60)]
        said |= {overheard.id, f"and {minute}?"}
        heard |= {item.line.id for item in items(done) if isinstance(item, Heard)}
        for decision in done:
            if isinstance(decision, Connect):
                seeded = {one.line.id for one in decision.seed.remembered if isinstance(one, Heard)}
                heard |= seeded
    assert talk.state.connection == TWO
    assert heard == said
    assert LineId("and 54?") in seeded


@pytest.mark.parametrize("reason", ["closed_1011", "aborted", "keepalive", "closed", "unreachable"])
def test_a_line_that_dies_unused_is_nobodys_trouble(reason: str) -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.end()
    assert lost(talk, reason) == []
    assert kinds(talk.ask(line("again"), turn=T2)) == [Connect, Respond]


@pytest.mark.parametrize("reason", sorted(reasons.REFUSALS))
def test_a_refusal_between_turns_is_on_record_at_once_and_told_to_whoever_asks_next(reason: str) -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.end()
    done = lost(talk, reason)
    assert [type(receipt) for receipt in receipts(done)] == [Failed]
    assert floor(done) == stay(done) == []
    done = talk.ask(line("hello?"), turn=T2)
    assert answer(done) == (Outcome.FAILED, None, reason)
    (notice,) = stay(done)
    assert isinstance(notice, SayInChat)
    assert reasons.in_words(reason) in notice.text
    assert stay(talk.ask(line("hello??"), turn=T2)) == []


def test_a_session_that_expires_of_itself_is_followed_by_another_at_once() -> None:
    talk = Talk(RealtimeSettings(hold_seconds=10_000))
    talk.ask(HELLO)
    talk.end()
    talk.wait(1500)
    assert kinds(lost(talk, "session_expired")) == [Connect]
    assert lost(talk, "session_expired", TWO) == []
    assert brief(talk.ask(line("again"), turn=T2)).connection == THREE


def test_he_says_once_why_he_cannot_answer_until_he_can() -> None:
    talk = Talk()
    talk.ask(HELLO)
    first = talk.end(ending=ResponseEnding.FAILED, reason="quota")
    assert stay(first) == [
        SayInChat(text="I cannot answer at the moment: the account at the provider is used up.")
    ]
    talk.now += 2
    talk.ask(line("now?"), turn=T2)
    assert stay(talk.end(response=R2, ending=ResponseEnding.FAILED, reason="quota")) == []
    talk.now += 5
    talk.ask(line("and now?"), turn=T1)
    talk.end(response=R1)
    talk.ask(line("well?"), turn=T2)
    assert len(stay(talk.end(response=R2, ending=ResponseEnding.FAILED, reason="quota"))) == 1


def test_of_an_answer_that_was_cut_before_its_first_word_nothing_was_heard() -> None:
    talk = Talk()
    talk.ask(HELLO)
    done = talk.do(CancelTurn(turn=T1))
    assert done[0] == Cancel(connection=ONE, response=R1)
    assert items(done) == [Said(utterance=U1, text="", interrupted=True)]
    assert list(talk.state.ring) == [Heard(line=HELLO)]


def test_a_question_without_words_is_an_error_and_nobody_is_asked() -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.call("ask_clankie", request=" ")
    (output,) = items(talk.end())
    assert isinstance(output, CallAnswered)
    assert (output.call, output.outcome) == (CallId("c"), "error")
    assert talk.state.handoffs == ()


def test_a_turn_that_is_asked_again_keeps_its_name() -> None:
    talk = Talk()
    talk.ask(HELLO)
    assert brief(lost(talk, "session_expired")).response == ResponseId("t1-2")
