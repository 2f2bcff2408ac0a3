"""What a server without a memory is told is always a conversation that it may not refuse."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as some
from openai.types.chat import ChatCompletionMessageParam

from actors.realtime.items import CallAnswered, Heard, Observed, Said, Seed, TurnBrief
from actors.realtime.live.history import History
from messages.floor import Trigger
from messages.ids import CallId, UtteranceId
from tests.actors.realtime.talk import HERE, T1, U1, line

SEED = Seed(persona="You are Clankie.", people=HERE, remembered=(), open_requests=())
ASK = (CallId("t1-1-call-1"), "ask_clankie", '{"request": "the time"}')
U2 = UtteranceId("t2-speech")
PLENTY = 12_000


def brief(trigger: Trigger = Trigger.ADDRESS) -> TurnBrief:
    return TurnBrief(
        turn=T1, utterance=U1, trigger=trigger, lines=(), people=HERE, results=(), open_requests=()
    )


def told(history: History) -> list[tuple[str, str]]:
    """Role and text of everything after the instructions."""
    return [(message["role"], content(message)) for message in history.messages()[1:]]


def content(message: ChatCompletionMessageParam) -> str:
    text = message.get("content")
    assert isinstance(text, str)
    return text


def refused(messages: list[ChatCompletionMessageParam]) -> list[str]:
    """What some server would refuse about these messages."""
    trouble = [] if messages[0]["role"] == "system" else ["it does not begin with the instructions"]
    open_calls: list[str] = []
    before = "system"
    for message in messages[1:]:
        role = message["role"]
        if message["role"] == "tool":
            trouble += [] if message["tool_call_id"] in open_calls else ["an output of no call"]
            open_calls.remove(message["tool_call_id"])
        else:
            trouble += ["a call without output"] if open_calls else []
            trouble += [f"{role} after {before}"] if (before, role) not in IN_TURN else []
        if message["role"] == "assistant":
            open_calls = [call["id"] for call in message.get("tool_calls", ())]
        before = role
    return trouble + (["it does not end with the other side"] if before == "assistant" or open_calls else [])


IN_TURN = {
    ("system", "user"),
    ("user", "assistant"),
    ("assistant", "user"),
    ("tool", "assistant"),
    ("tool", "user"),
}


def test_the_instructions_come_first_and_once_and_what_is_here_is_told_by_the_other_side() -> None:
    history = History(SEED, PLENTY)
    history.add(Heard(line=line("hello Clankie")))
    history.ask(brief())
    system, user = history.messages()
    assert system["role"] == "system"
    assert content(system).startswith("You are Clankie.")
    roster, heard = content(user).split("\n")
    assert roster.startswith("ROOM: ")
    assert json.loads(heard) == {"speaker": "Anna", "text": "hello Clankie"}


def test_what_happened_in_the_room_is_marked_as_the_rooms() -> None:
    history = History(SEED, PLENTY)
    history.add(Observed(text='"Ben" went away. Humans here: 1.'))
    assert told(history)[-1][1].endswith('ROOM: "Ben" went away. Humans here: 1.')


def test_a_seed_brings_back_what_was_said_by_either_side() -> None:
    remembered = (Heard(line=line("hello")), Said(utterance=U1, text="Hello Anna."))
    history = History(Seed(persona="p", people=None, remembered=remembered, open_requests=("it",)), PLENTY)
    assert [role for role, _ in told(history)] == ["user", "assistant", "user"]
    assert told(history)[1][1] == "Hello Anna."


def test_his_words_are_mended_to_what_was_heard_of_them() -> None:
    history = History(SEED, PLENTY)
    history.answered(U1, "One. Two. Three.")
    history.add(Said(utterance=U1, text="One. Tw", interrupted=True))
    assert told(history)[1] == ("assistant", "One. Tw (interrupted)")


def test_words_of_the_seed_are_mended_too() -> None:
    seeded = Seed(persona="p", people=None, remembered=(Said(utterance=U1, text="A b."),), open_requests=())
    history = History(seeded, PLENTY)
    history.add(Said(utterance=U1, text="A", interrupted=True))
    assert told(history)[1] == ("assistant", "A (interrupted)")


def test_what_nobody_heard_was_never_said_but_its_calls_were_made() -> None:
    history = History(SEED, PLENTY)
    history.answered(U1, "One.")
    history.answered(U2, "Two.", [ASK])
    history.add(Said(utterance=U1, text="", interrupted=True))
    history.add(Said(utterance=U2, text="", interrupted=True))
    roles = [role for role, _ in told(history)]
    assert roles == ["user", "assistant", "tool"]
    assert told(history)[1] == ("assistant", "")


def test_silence_leaves_no_trace() -> None:
    history = History(SEED, PLENTY)
    history.answered(U1, " \n")
    history.add(Said(utterance=U2, text="", interrupted=True))
    assert [role for role, _ in told(history)] == ["user"]


def test_a_call_is_followed_by_its_output_wherever_that_came() -> None:
    history = History(SEED, PLENTY)
    history.answered(U1, "", [ASK, (CallId("t1-1-call-2"), "voice_leave", "{}")])
    history.add(Heard(line=line("thanks")))
    history.add(CallAnswered(call=ASK[0], outcome="handed_off", text="later"))
    _, _, own, first, second, last = history.messages()
    assert own["role"] == "assistant"
    assert first["role"] == "tool"
    assert second["role"] == "tool"
    calls = [(call["id"], call["type"]) for call in own.get("tool_calls", ())]
    assert calls == [(first["tool_call_id"], "function"), (second["tool_call_id"], "function")]
    assert json.loads(content(first)) == {"outcome": "handed_off", "text": "later"}
    assert json.loads(content(second))["outcome"] == "cancelled"
    assert last["role"] == "user"


def test_the_name_of_a_call_is_one_that_the_strictest_server_takes_and_arguments_are_an_object() -> None:
    history = History(SEED, PLENTY)
    for place, arguments in enumerate(('{"request": "x', "[]", "", '{"request": "x"}')):
        history.answered(U1, "", [(CallId(f"c{place}"), "ask_clankie", arguments)])
    calls = [
        call
        for message in history.messages()
        if message["role"] == "assistant"
        for call in message.get("tool_calls", ())
        if call["type"] == "function"
    ]
    assert [call["function"]["arguments"] for call in calls] == ["{}", "{}", "{}", '{"request": "x"}']
    names = {call["id"] for call in calls}
    assert all(len(name) == 9 and name.isalnum() for name in names)
    assert len(names) == 4


def test_the_oldest_is_forgotten_first_and_an_output_never_stays_without_its_call() -> None:
    history = History(SEED, 1_000)
    history.answered(U1, "first", [ASK])
    history.add(CallAnswered(call=ASK[0], outcome="handed_off", text="later"))
    for number in range(200):
        history.add(Heard(line=line(f"line {number}")))
        history.answered(UtteranceId(f"u{number}"), f"answer {number}")
    messages = history.messages()
    assert refused([*messages]) == []
    texts = [content(message) for message in messages]
    assert sum(map(len, texts)) < 4_000
    assert "tool" not in [message["role"] for message in messages]
    assert "answer 199" in texts
    assert "answer 100" not in texts


def test_letters_that_cost_more_are_counted_as_more() -> None:
    history = History(SEED, 2_000)
    for number in range(10):
        history.add(Heard(line=line("語" * 300, name=str(number))))
    assert sum(len(text.encode()) for _, text in told(history)) < 4 * 2_000


def test_what_he_was_told_last_is_never_forgotten() -> None:
    history = History(SEED, 1_000)
    history.add(Heard(line=line("x" * 9_000)))
    assert "x" * 9_000 in told(history)[-1][1]


def test_a_conversation_that_grew_too_long_keeps_its_beginning_for_many_turns() -> None:
    history, changes, before = History(SEED, 2_000), 0, ""
    for number in range(100):
        history.add(Heard(line=line(f"{number:03} " + "x" * 60)))
        history.answered(UtteranceId(f"u{number}"), "yes")
        first = told(history)[0][1]
        changes, before = changes + (first != before), first
    assert 1 < changes < 15


MOVES = some.lists(
    some.sampled_from(["hear", "see", "ask", "say", "call", "answer", "mend", "mute"]), max_size=60
)


@given(MOVES, some.integers(min_value=900, max_value=2_000))
def test_no_server_finds_anything_to_refuse(moves: list[str], tokens: int) -> None:
    history = History(SEED, tokens)
    for number, move in enumerate(moves):
        match move:
            case "hear":
                history.add(Heard(line=line(f"line {number}")))
            case "see":
                history.add(Observed(text="Something happened."))
            case "ask":
                history.ask(brief(Trigger.VOLITION))
            case "say":
                history.answered(U1, f"answer {number} " + "x" * 100)
            case "call":
                history.answered(U2, "", [ASK, ASK])
            case "answer":
                history.add(CallAnswered(call=ASK[0], outcome="handed_off", text="later"))
            case "mend":
                history.add(Said(utterance=U1, text="answer", interrupted=True))
            case _:
                history.add(Said(utterance=U1, text="", interrupted=True))
        assert refused(history.messages()) == []
