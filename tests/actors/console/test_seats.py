"""Seats over real sockets: who is here, what is written, what is allowed, and who loses his seat and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from http.client import HTTPConnection

import pytest

from actors.audio.opus import OpusEncoder
from actors.console.live_room import line, outbox, seat, seats, wire
from actors.gateway.local import LocalAccount
from actors.local_room import LOBBY
from messages.attachment import Attachment
from messages.gateway import (
    ButtonAnswered,
    ButtonOutcome,
    ButtonPressed,
    ConsentAnswered,
    ConsentAsked,
    ConsentOutcome,
    GatewayPortEvent,
    MessageSeen,
)
from messages.ids import ConfirmationId, PersonId, RoomId
from messages.people import Person
from tests.actors.console.chairs import HOST, Chairs, chairs
from tests.actors.console.tones import tone_packets
from tests.probe import Probe


@pytest.fixture
def den() -> Iterator[Chairs]:
    with chairs() as opened:
        yield opened


def test_everybody_sees_who_is_here_by_a_name_of_his_own_and_a_number_for_his_sound(den: Chairs) -> None:
    anna = den.seated("Anna")
    assert anna.line.subprotocol == "clankie"
    assert (anna.welcome["name"], anna.welcome["rate"], anna.welcome["present"]) == ("Anna", 24_000, False)
    ben = den.seated("  anna\u202e ")
    mimic = den.seated("Clankie")
    named = [(one["name"], one["slot"]) for one in mimic.welcome["people"]]
    assert named == [("Anna", 1), ("anna 2", 2), ("Clankie 2", 3)]
    assert [one.id for one in den.room.people] == [anna.person, ben.person, mimic.person]
    den.room.enter()
    assert anna.expect("people", present=True)["people"] == mimic.welcome["people"]
    ben.tell(type="leave")
    assert ben.ended() == (1000, "")
    left = [one["person"] for one in anna.expect("people", present=True)["people"]]
    assert left == [anna.person, mimic.person]
    den.room.kick()
    anna.expect("people", present=False)
    cleo = den.seated("Cleo")
    assert cleo.welcome["people"][-1]["slot"] == 4
    anna.close()
    den.wait_for_people(2)


def test_whoever_hangs_up_has_left_and_his_number_is_not_the_next_ones(den: Chairs) -> None:
    anna = den.seated("Anna")
    anna.close()
    den.wait_for_people(0)
    anna = den.seated("Anna")
    assert anna.welcome["people"] == [{"person": anna.person, "name": "Anna", "slot": 2}]
    for said in ("once", "twice"):
        anna.tell(type="line", text=said)
    assert [anna.expect("line")["text"] for _ in range(2)] == ["once", "twice"]
    anna.close()


def test_a_browser_that_comes_back_is_the_same_person_and_nobody_else_is(den: Chairs) -> None:
    token = "0123456789abcdef" * 2
    anna = den.seated("Anna", token=token)
    assert anna.person == f"web-{sha256(token.encode()).hexdigest()[:12]}"
    other_tab = den.seated("Anna", token=token)
    without = den.seated("Ben")
    assert len({anna.person, other_tab.person, without.person}) == 3
    assert token not in json.dumps([without.welcome, other_tab.welcome])
    anna.tell(type="leave")
    assert anna.ended() == (1000, "")
    assert den.seated("Ann", token=token).person == anna.person


def test_a_token_is_in_nothing_that_is_shown_of_a_join() -> None:
    token = "0123456789abcdef" * 2
    said = wire.read(json.dumps({"type": "join", "name": "Anna", "rate": 48_000, "token": token}))
    assert isinstance(said, wire.Join)
    assert said.token == token
    assert token not in repr(said) + str(said)
    assert wire.read(json.dumps({"type": "join", "name": "Anna", "rate": 48_000, "token": "short"})) is None


def test_lines_are_read_by_everybody_in_the_room_and_those_of_the_lobby_by_nobody(den: Chairs) -> None:
    account, news = LocalAccount(den.room), Probe[GatewayPortEvent]()
    account.open(news.tell)
    anna, ben = den.seated("Anna"), den.seated("Ben")
    den.room.write(Person(id=PersonId("owner"), label="Owner"), "in private")
    anna.tell(type="line", text=" hello\n ")
    picture = Attachment(name="a.png", kind="image/png", data=b"png")
    for guest in (anna, ben):
        assert guest.expect("line") == {"type": "line", "name": "Anna", "text": "hello", "his": False}
    account.post(LOBBY, "in private too", None)
    account.post(den.room.id, "look \udc80", None, (picture,))
    assert ben.expect("line") == {"type": "line", "name": "Clankie", "text": "look ? [a.png]", "his": True}
    seen = [one.text for one in news.received() if isinstance(one, MessageSeen)]
    assert seen == ["in private", "hello"]
    anna.close()
    ben.close()


def test_consent_is_the_sitters_own_and_what_comes_of_it_is_told_even_if_nobody_answers(
    den: Chairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat, "ANSWER_SECONDS", 0.05)
    anna = den.seated("Anna")
    anna.tell(type="consent", granted=True)
    assert anna.expect("consent")["outcome"] == "no_stay"
    asked = list[ConsentAsked]()

    def grant(event: GatewayPortEvent) -> None:
        if isinstance(event, ConsentAsked) and event.reply_to is not None:
            asked.append(event)
            event.reply_to.tell(ConsentAnswered(outcome=ConsentOutcome.GRANTED, room=den.room.id))

    den.room.attach_account(grant)
    anna.tell(type="consent", granted=True)
    assert anna.expect("consent")["outcome"] == "granted"
    assert [(one.person, one.granted, one.room) for one in asked] == [(anna.person, True, den.room.id)]
    anna.until_silent(0, 0.1)
    news = Probe[GatewayPortEvent]()
    den.room.attach_account(news.tell)
    anna.tell(type="consent", granted=False)
    late = news.expect(ConsentAsked).reply_to
    assert anna.expect("consent")["outcome"] == "no_stay"
    assert late is not None
    late.tell(ConsentAnswered(outcome=ConsentOutcome.WITHDRAWN, room=None))
    assert anna.expect("consent")["outcome"] == "withdrawn"
    anna.close()


def test_a_question_of_the_room_has_buttons_until_it_is_settled(den: Chairs) -> None:
    account, news = LocalAccount(den.room), Probe[GatewayPortEvent]()
    account.open(news.tell)
    anna = den.seated("Anna")
    account.confirm(ConfirmationId("c"), den.room.id, "may I?")
    assert anna.expect("question") == {"type": "question", "text": "may I?", "open": True}
    den.room.chat.ask(ConfirmationId("other"), RoomId("lobby"), "and here?")
    ben = den.seated("Ben")
    assert ben.expect("question")["text"] == "may I?"
    ben.tell(type="press", granted=True)
    pressed = news.expect(ButtonPressed)
    assert (pressed.confirmation, pressed.asker.person.id, pressed.granted) == ("c", ben.person, True)
    pressed.reply_to.tell(ButtonAnswered(outcome=ButtonOutcome.NOT_YOURS))
    assert ben.expect("line", his=True)["text"] == "Only whoever asked me for this may decide it."
    anna.tell(type="press", granted=False)
    news.expect(ButtonPressed).reply_to.tell(ButtonAnswered(outcome=ButtonOutcome.DENIED))
    account.settle(ConfirmationId("c"), "denied")
    assert anna.expect("question") == {"type": "question", "text": "may I?", "open": False}
    anna.tell(type="press", granted=False)
    assert anna.expect("line", his=True)["text"] == "That question is over."
    anna.close()
    ben.close()


JOIN = {"type": "join", "name": "Anna", "rate": 48_000}


@pytest.mark.parametrize(
    ("frames", "error"),
    [
        ([b"\0\0"], 'Send {"type": "join"'),
        ([{"type": "line", "text": "hi"}], 'Send {"type": "join"'),
        (["{"], "This is no frame of a seat"),
        ([JOIN | {"rate": 7_999}], "a rate of 8000 to 96000"),
        ([JOIN | {"rate": "48000"}], "a rate of 8000 to 96000"),
        ([JOIN | {"name": "A" * 33}], "a name of 1 to 32 characters"),
        ([JOIN | {"name": "\u200b "}], "Give a name of 1 to 32 signs that can be seen."),
        ([JOIN | {"key": "?"}], "This is no frame of a seat"),
        ([JOIN, JOIN], "You have a seat already"),
        ([JOIN, b""], "Send sound as whole 16-bit samples"),
        ([JOIN, b"\0\0\0"], "Send sound as whole 16-bit samples"),
        ([JOIN, bytes(65_538)], "at most 65536 bytes at once"),
        ([JOIN, {"type": "line", "text": " "}], "line (with 1 to 2000 characters)"),
        ([JOIN, {"type": "line", "text": "x" * 2_001}], "line (with 1 to 2000 characters)"),
        ([JOIN, "[" * 65_000], "This is no frame of a seat"),
        ([JOIN, *[{"type": "press", "granted": True}] * 50], "send fewer"),
    ],
)
def test_whoever_says_what_no_page_says_is_told_in_one_sentence_and_loses_his_seat(
    den: Chairs, frames: list[bytes | str | dict[str, object]], error: str
) -> None:
    guest = den.guest()
    for frame in frames:
        guest.line.send(json.dumps(frame) if isinstance(frame, dict) else frame)
    code, said = guest.ended()
    assert error in said
    assert said.endswith(".")
    assert code == 1008
    den.wait_for_people(0)


def test_whoever_leaves_before_he_has_a_seat_is_told_nothing(den: Chairs) -> None:
    guest = den.guest()
    guest.tell(type="leave")
    assert guest.ended() == (1006, "")


def test_a_frame_that_is_far_too_large_is_not_read_to_its_end(den: Chairs) -> None:
    guest = den.seated("Anna")
    guest.line.send(bytes(200_000))
    assert guest.ended() == (1009, "")
    den.wait_for_people(0)


def test_there_are_eight_seats(den: Chairs, monkeypatch: pytest.MonkeyPatch) -> None:
    guests = [den.seated(f"Guest {number}") for number in range(8)]
    close, freed = OpusEncoder.close, list[OpusEncoder]()

    def noting(encoder: OpusEncoder) -> None:
        freed.append(encoder)
        close(encoder)

    monkeypatch.setattr(OpusEncoder, "close", noting)
    late = den.guest()
    late.tell(**JOIN)
    assert late.ended() == (1008, "All 8 seats are taken; join when somebody has left.")
    assert len(freed) == 1
    guests[3].close()
    den.wait_for_people(7)
    guests[3] = den.seated("Guest 3")
    for guest in guests:
        guest.close()


def test_whoever_does_not_say_who_he_is_does_not_stay(den: Chairs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "JOIN_SECONDS", 0.05)
    code, error = den.guest().ended()
    assert (code, error.startswith('Send {"type": "join"')) == (1008, True)


def test_one_who_vanishes_without_a_word_has_left_within_the_heartbeat(
    den: Chairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "PING_SECONDS", 0.1)
    monkeypatch.setattr(line, "SILENT_SECONDS", 0.4)
    anna = den.seated("Anna")
    with den.raw() as gone:
        den.wait_for_people(2)
        while gone.recv(4096):
            pass
    den.wait_for_people(1)
    anna.tell(type="leave")
    assert anna.ended() == (1000, "")


def test_one_who_reads_nothing_loses_his_seat_and_the_others_lose_nothing(
    den: Chairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "STUCK_SECONDS", 0.3)
    anna = den.seated("Anna")
    with den.raw():
        den.wait_for_people(2)
        for start in range(0, 400, 40):
            for packet in tone_packets(40):
                den.room.transmit(packet, 0.0)
            assert len(anna.hear(0, start + 40)) == start + 40
        den.wait_for_people(1)
    anna.close()


def test_a_window_that_closes_lets_everybody_go_and_nobody_in(den: Chairs) -> None:
    anna, stranger = den.seated("Anna"), den.guest()
    den.loop.submit(den.seats.close()).result(2)
    assert den.room.people == ()
    assert (anna.ended(), stranger.ended()) == ((1001, ""), (1001, ""))
    late = den.guest()
    late.tell(**JOIN)
    assert late.ended() == (1008, "The window is being closed; join again in a minute.")


def test_a_plain_question_is_told_that_this_is_a_websocket(den: Chairs) -> None:
    asking = HTTPConnection(HOST, den.port, timeout=2)
    asking.request("GET", "/room")
    answer = asking.getresponse()
    assert (answer.status, json.loads(answer.read())["error"][:26]) == (426, "GET /room is a websocket; ")
    asking.close()


def test_without_opus_there_is_a_sentence_that_says_so() -> None:
    deaf = Chairs(opus_library="/no/such/libopus.so")
    try:
        guest = deaf.guest()
        guest.tell(**JOIN)
        why = "There can be no sound here: /no/such/libopus.so is not a loadable libopus"
        assert guest.ended() == (1008, why)
    finally:
        deaf.close()
