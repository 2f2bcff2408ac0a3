"""Every final is answered once, with the words of its own sound."""

from __future__ import annotations

import pytest

from actors.capture.decisions import Ask
from actors.capture.live.pieces import joined
from actors.capture.settings import CaptureSettings
from messages.capture import TranscriptReady
from tests.actors.capture.live.ear import FIRST, ONE, SECOND, TENTH, Ear, heard

LATE = CaptureSettings(commit_early=False)


def test_a_segment_is_committed_at_its_final_and_its_words_come_back() -> None:
    ear = heard()
    ear.final()
    assert ear.sent() == ["commit"]
    ear.committed("a")
    ear.written("a", "Hello there.")
    assert ear.told == [
        TranscriptReady(connection=ONE, segment=FIRST, text="Hello there.", final=True, speechless=False)
    ]
    ear.written("a", "again")
    ear.more("a", "again")
    ear.final()
    assert len(ear.told) == 1
    assert ear.sent() == []


def test_words_so_far_come_by_themselves_and_are_told_when_they_have_grown() -> None:
    ear = heard()
    ear.port.ask(FIRST, Ask.PARTIAL, False)
    assert ear.sent() == []
    ear.more("a", "Hel")
    ear.more("a", "")
    ear.more("a", "lo")
    assert ear.news() == [("partial", "Hel"), ("partial", "Hello")]
    ear.final()
    ear.more("a", " you")
    ear.committed("a")
    ear.written("a", "Hello, you.")
    assert ear.news() == [("final", "Hello, you.")]


def test_a_pause_commits_and_the_pieces_are_joined_in_order_of_their_sound() -> None:
    ear = heard()
    ear.guess()
    assert ear.sent() == ["commit"]
    ear.hear()
    ear.final()
    assert ear.sent() == ["append", "commit"]
    ear.committed("a")
    ear.committed("b")
    ear.written("b", " I am here. ")
    assert ear.news() == []
    ear.written("a", "Hello.")
    assert ear.news() == [("final", "Hello. I am here.")]


def test_the_words_of_a_pause_are_told_before_the_segment_ends() -> None:
    ear = heard()
    ear.guess()
    ear.committed("a")
    ear.written("a", "Hello.")
    ear.hear()
    ear.more("b", "I am")
    assert ear.news() == [("partial", "Hello."), ("partial", "Hello. I am")]


@pytest.mark.parametrize(
    ("pieces", "whole"),
    [
        (["Hello.", " I am here. "], "Hello. I am here."),
        (["", "Hello", " ", "there"], "Hello there"),
        (["I want to...", "...go home."], "I want to go home."),
        (["I want to…", "go home."], "I want to go home."),
        (["I want to", "… go home…"], "I want to go home…"),
        (["Well...", "I do not know..."], "Well... I do not know..."),
        (["...", "Yes."], "... Yes."),
        (["Yes.", "..."], "Yes."),
        (["今日は。", "元気ですか", "？"], "今日は。元気ですか？"),
        (["コーヒー", "を飲む"], "コーヒーを飲む"),
        (["ねえ、", "Clankie", "今何時？"], "ねえ、 Clankie 今何時？"),
        (["안녕하세요", "클랭키"], "안녕하세요 클랭키"),
    ],
)  # fmt: skip
def test_pieces_read_as_if_nobody_had_paused(pieces: list[str], whole: str) -> None:
    assert joined(pieces) == whole


def test_a_word_that_is_put_right_is_told_though_it_is_no_longer_than_before() -> None:
    ear = heard()
    ear.more("a", "Stopp it")
    ear.guess()
    ear.committed("a")
    ear.written("a", "Stop it")
    assert ear.news() == [("partial", "Stopp it"), ("partial", "Stop it")]


def test_a_settled_final_clears_the_silence_and_waits_for_nothing_else() -> None:
    ear = heard()
    ear.guess()
    ear.hear()
    ear.committed("a")
    ear.written("a", "Hello.")
    ear.news()
    ear.sent()
    ear.final(settled=True)
    assert ear.sent() == ["clear"]
    assert ear.news() == [("final", "Hello.")]


def test_a_settled_final_whose_words_are_not_back_waits_for_them() -> None:
    ear = heard()
    ear.guess()
    ear.final(settled=True)
    assert ear.sent() == ["commit"]
    assert ear.news() == []
    ear.committed("a")
    ear.written("a", "Hello.")
    assert ear.news() == [("final", "Hello.")]


@pytest.mark.parametrize("settled", [True, False])
def test_where_pauses_commit_nothing_the_final_does_settled_or_not(settled: bool) -> None:
    ear = heard(LATE)
    ear.guess()
    ear.hear()
    assert ear.sent() == ["append"]
    ear.final(settled=settled)
    assert ear.sent() == ["commit"]


def test_less_than_a_tenth_of_a_second_is_cleared_and_is_no_words() -> None:
    ear = Ear()
    ear.begin()
    ear.stand()
    ear.port.append(FIRST, TENTH[:-2])
    ear.guess()
    ear.final()
    assert ear.sent() == ["session.update", "append", "clear"]
    assert ear.news() == [("final", "")]


def test_a_guess_at_too_little_covers_nothing() -> None:
    ear = heard()
    ear.guess()
    ear.port.append(FIRST, TENTH[:-2])
    ear.guess()
    ear.hear(1)
    ear.sent()
    ear.final(settled=True)
    assert ear.sent() == ["commit"]


def test_a_segment_without_sound_has_no_words_and_costs_nothing() -> None:
    ear = Ear()
    ear.begin()
    ear.stand()
    ear.port.append(FIRST, b"")
    ear.final()
    assert ear.sent() == ["session.update"]
    assert ear.news() == [("final", "")]


def test_sound_of_no_segment_or_of_one_that_has_ended_goes_nowhere() -> None:
    ear = heard()
    ear.final()
    ear.sent()
    ear.hear()
    ear.hear(segment=SECOND)
    ear.guess(SECOND)
    ear.final(SECOND)
    assert ear.sent() == []


def test_finals_are_joined_by_name_whatever_their_order() -> None:
    ear = heard()
    ear.final()
    ear.say(SECOND)
    ear.committed("a")
    ear.committed("b")
    ear.written("b", "second")
    ear.written("a", "first")
    assert [(event.segment, event.text) for event in ear.told if isinstance(event, TranscriptReady)] == [
        (SECOND, "second"),
        (FIRST, "first"),
    ]


def test_letters_that_come_before_the_commit_is_answered_belong_to_the_oldest_commit() -> None:
    ear = heard()
    ear.final()
    ear.begin(SECOND)
    ear.hear(2, SECOND)
    ear.more("a", "fir")
    ear.more("b", "sec")
    assert ear.news() == [("partial", "sec")]
    ear.committed("a")
    ear.written("a", "first")
    assert ear.news() == [("final", "first")]


def test_letters_of_cleared_sound_are_nobodys() -> None:
    ear = heard()
    ear.guess()
    ear.committed("a")
    ear.written("a", "Hello.")
    ear.hear()
    ear.final(settled=True)
    ear.begin(SECOND)
    ear.hear(2, SECOND)
    ear.news()
    ear.more("noise", "Thank you")
    ear.cleared()
    ear.more("noise", " for watching")
    assert ear.news() == []
    ear.more("b", "Stop")
    assert ear.news() == [("partial", "Stop")]


def test_a_clear_that_is_never_answered_takes_no_words_from_what_follows() -> None:
    ear = heard()
    ear.guess()
    ear.committed("a")
    ear.written("a", "Hello.")
    ear.hear()
    ear.final(settled=True)
    ear.begin(SECOND)
    ear.hear(2, SECOND)
    ear.more("b", "Sto")
    ear.final(SECOND)
    ear.news()
    ear.committed("b")
    ear.written("b", "Stop")
    assert ear.news() == [("final", "Stop")]


def test_letters_that_were_taken_for_another_piece_are_found_again_at_the_commit() -> None:
    ear = heard()
    ear.port.drop(FIRST)
    ear.begin(SECOND)
    ear.hear(2, SECOND)
    ear.more("b", "Sto")
    ear.guess(SECOND)
    ear.committed("b")
    ear.more("b", "p now")
    assert ear.news() == [("partial", "Stop now")]


def test_words_that_are_all_there_grow_no_more() -> None:
    ear = heard()
    ear.guess()
    ear.committed("a")
    ear.written("a", "Hello.")
    ear.more("a", " again")
    assert ear.news() == [("partial", "Hello.")]


def test_a_clear_that_nobody_asked_for_is_no_answer_to_a_commit() -> None:
    ear = heard()
    ear.final()
    ear.cleared()
    ear.committed("a")
    ear.written("a", "Hello.")
    assert ear.news() == [("final", "Hello.")]


def test_words_of_names_that_were_never_ours_are_nobodys() -> None:
    ear = heard()
    ear.final()
    ear.committed("a")
    ear.written("a", "Hello.")
    ear.news()
    ear.committed("ghost")
    ear.cleared()
    ear.more("ghost", "boo")
    assert ear.news() == []
