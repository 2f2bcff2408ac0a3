"""There is a sentence for every answer that the house can give, and each refusal says what to do."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from actors.gateway.live import replies
from actors.gateway.live.phrases import ENCRYPTION, FAILED, NO_ANSWER, PRESSED, SETTLED, WATCH_REFUSED
from actors.gateway.live.replies import Disclosure
from messages.gateway import (
    ButtonOutcome,
    ConsentAnswered,
    ConsentOutcome,
    ForgetAnswered,
    Joined,
    JoinRefused,
    LeaveAnswered,
    NotesAnswered,
    RefusedJoin,
    RefusedLeave,
    StatusAnswered,
    StayFacts,
    WatchAnswered,
)
from messages.ids import PersonId, RoomId, StayId
from messages.lifecycle import Refusal
from messages.stay import LeftReason

ROOT = Path(__file__).parents[3]
LOCAL = Disclosure()
ROOM = RoomId("7")


def facts(
    *, heard: int = 1, humans: int = 2, encryption: str = "dave", hindrance: str = "", code: str = ""
) -> StayFacts:
    return StayFacts(
        stay=StayId("s"),
        room=ROOM,
        phase="active",
        encryption=encryption,
        privacy_code=code,
        humans=humans,
        heard=tuple(PersonId(str(number)) for number in range(heard)),
        hindrance=hindrance,
    )


def test_no_answer_is_the_same_sentence_everywhere() -> None:
    said = {
        replies.join(None, None, LOCAL),
        replies.leave(None),
        replies.consent(None, None, LOCAL),
        replies.status(None),
        replies.voice_status(None, LOCAL),
        replies.forget(None),
        replies.memories(None),
        replies.watch(None),
    }
    assert said == {NO_ANSWER}


@pytest.mark.parametrize("reason", RefusedJoin)
def test_every_refusal_to_come_has_a_sentence(reason: RefusedJoin) -> None:
    said = replies.join(JoinRefused(reason=reason), None, LOCAL)
    assert said.endswith((".", "`."))
    assert reason.value not in said.split()


@pytest.mark.parametrize("detail", FAILED)
def test_every_known_failure_to_come_has_a_sentence(detail: str) -> None:
    assert replies.join(JoinRefused(reason=RefusedJoin.FAILED, detail=detail), None, LOCAL) == FAILED[detail]


def codes(module: str, call: str, argument: str | int) -> set[str]:
    """Every code that is written out in this argument of calls of this name."""
    tree = ast.parse((ROOT / "actors" / "gateway" / module).read_text("utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [one for one in calls if isinstance(one.func, ast.Name) and one.func.id == call]
    given = [
        value
        for one in named
        for place, value in (*enumerate(one.args), *((word.arg, word.value) for word in one.keywords))
        if place == argument
    ]
    return {
        value.value for value in given if isinstance(value, ast.Constant) and isinstance(value.value, str)
    }


def test_whatever_the_gateway_can_say_of_coming_has_words_of_its_own() -> None:
    orders = codes("joining.py", "JoinRefused", "detail")
    timers = codes("stays.py", "_over", 2) | codes("stays.py", "_refused", 1)
    assert (orders, timers) == (
        {"busy", "account_not_ready", "no_such_room", "leaving", "other_room"},
        {"join_overdue", "gateway_lost"},
    )
    assert orders | timers | {"ended", *LeftReason, *Refusal} <= set(FAILED)


def test_whatever_the_gateway_can_say_of_the_play_surface_has_words_of_its_own() -> None:
    refused = codes("watching.py", "WatchAnswered", "refused") | codes("watching.py", "_closed", 2)
    assert {"busy", "closed", "ended", "timeout", "gateway_lost", "not_open"} <= refused
    port = {"gateway_lost", "no_activity", "unsupported", "no_such_room", "unknown_activity", "forbidden"}
    assert refused | port | {"refused", "timeout"} <= set(WATCH_REFUSED)


def test_a_failure_that_nobody_foresaw_is_named() -> None:
    said = replies.join(JoinRefused(reason=RefusedJoin.FAILED, detail="close_4017"), None, LOCAL)
    assert "close_4017" in said


def test_whoever_is_heard_already_is_told_so() -> None:
    joined = Joined(room=ROOM, stay=StayId("s"))
    assert "do not hear you" in replies.join(joined, None, LOCAL)
    known = StatusAnswered(facts=facts(), asker_heard=True)
    assert "hear **you**" in replies.join(joined, known, LOCAL)


def test_a_farewell_and_its_refusals() -> None:
    assert "<#7>" in replies.leave(LeaveAnswered(room=ROOM))
    assert replies.leave(LeaveAnswered(room=None)) == "Goodbye."
    for reason in RefusedLeave:
        assert replies.leave(LeaveAnswered(room=None, refused=reason))


@pytest.mark.parametrize("outcome", ConsentOutcome)
def test_every_outcome_of_consent_has_a_sentence(outcome: ConsentOutcome) -> None:
    for room in (ROOM, None):
        said = replies.consent(ConsentAnswered(outcome=outcome, room=room), facts(), LOCAL)
        assert ("end-to-end" in said) is (outcome is ConsentOutcome.GRANTED)


def test_the_disclosure_names_who_gets_what() -> None:
    cloud = Disclosure(
        providers=("Ears Inc.", "Mind Ltd."), transcripts_kept=True, everybody=True, kept_days=7
    )
    said = replies.disclosed(cloud, facts())
    assert "Ears Inc., Mind Ltd." in said
    assert "are kept" in said
    assert "everybody" in said
    assert "for 7 days" in said
    assert "in writing" in said
    assert "stays on the machine" in replies.disclosed(LOCAL, None)


@pytest.mark.parametrize("encryption", [*ENCRYPTION, "something_new"])
def test_every_kind_of_encryption_is_put_in_words(encryption: str) -> None:
    said = replies.status(StatusAnswered(facts=facts(encryption=encryption), asker_heard=True))
    assert ENCRYPTION.get(encryption, encryption) in said


def test_status_tells_of_what_is_in_his_way() -> None:
    muted = StatusAnswered(facts=facts(hindrance="server_muted", humans=1), asker_heard=False)
    assert "moderator has muted me" in replies.status(muted)
    assert "1 person" in replies.status(muted)
    odd = StatusAnswered(facts=facts(hindrance="gremlins"), asker_heard=False)
    assert "gremlins" in replies.status(odd)
    assert "no voice channel" in replies.status(StatusAnswered(facts=None, asker_heard=False))
    wordless = StatusAnswered(facts=replace(facts(), ear_trouble="quota"), asker_heard=True)
    assert "cannot make out words: the account at the provider is used up." in replies.status(wordless)


def test_voice_status_names_those_who_are_heard_and_fits_into_a_message() -> None:
    crowd = StatusAnswered(facts=facts(heard=99, code="1 2 3"), asker_heard=True)
    said = replies.voice_status(crowd, Disclosure(providers=("x" * 3_000,)))
    assert "and 79 more" in said
    assert "`1 2 3`" in said
    assert len(said) == 2_000
    alone = StatusAnswered(facts=facts(heard=0), asker_heard=False)
    assert "nobody" in replies.voice_status(alone, LOCAL)


def test_forgetting_says_what_it_meant() -> None:
    assert "any more" in replies.forget(ForgetAnswered(was_heard=True))
    nothing = replies.forget(ForgetAnswered(was_heard=False))
    assert "did not hear you" in nothing
    assert "noted nothing" in nothing
    some = replies.forget(ForgetAnswered(was_heard=False, notes=("likes tea", "sings")))
    assert some.endswith("I deleted 2 notes that you had made:\n1. `likes tea`\n2. `sings`")
    assert "I deleted 1 note that" in replies.forget(ForgetAnswered(was_heard=False, notes=("sings",)))
    left = replies.forget(ForgetAnswered(was_heard=True, remains=True))
    assert "could not delete all" in left
    assert "remember nothing" not in left


def test_notes_are_shown_as_they_stand_and_format_nothing() -> None:
    said = replies.memories(NotesAnswered(notes=("**bold**\n# <@1> `code`", "\u202e", "tea")))
    assert said.splitlines()[1:4] == ["1. `**bold** # <@1> 'code'`", "2. `(nothing)`", "3. `tea`"]
    assert "forget-me" in said
    assert "nothing about you" in replies.memories(NotesAnswered(notes=()))


def test_of_many_notes_as_many_are_shown_as_fit() -> None:
    notes = tuple(f"{number} {'x' * 290}" for number in range(30))
    for said in (
        replies.memories(NotesAnswered(notes=notes)),
        replies.forget(ForgetAnswered(was_heard=True, notes=notes)),
    ):
        shown = sum(line.endswith("x`") for line in said.splitlines())
        assert f"and {30 - shown} more" in said
        assert 4 < shown < 30
        assert len(said) <= 2_000


def test_every_outcome_of_a_button_has_a_sentence() -> None:
    assert set(PRESSED) == set(ButtonOutcome)
    assert set(SETTLED) == {"granted", "denied", "timeout", "dropped"}


@pytest.mark.parametrize("refused", [*WATCH_REFUSED, "something_new"])
def test_every_refusal_to_watch_has_a_sentence(refused: str) -> None:
    said = replies.watch(WatchAnswered(refused=refused))
    assert said == WATCH_REFUSED.get(refused, said)
    assert said.endswith(".")


def test_what_the_page_quotes_he_really_says() -> None:
    page = (ROOT / "docs" / "discord.md").read_text("utf-8").partition("## When something is wrong")[2]
    cells = re.findall(r"^\| (`[^|`]+`(?:, `[^|`]+`)*) \|", page.partition("\n## ")[0], re.MULTILINE)
    quoted = [quote for cell in cells for quote in re.findall(r"`([^`]+)`", cell)]
    assert len(quoted) > 5
    trees = (ast.parse(file.read_text("utf-8")) for file in (ROOT / "actors/gateway/live").glob("*.py"))
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    said = "\n".join(node.value for node in nodes if isinstance(node.value, str))
    assert [quote for quote in quoted if quote not in said] == []
