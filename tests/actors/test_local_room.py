"""The local room tells his account what happened, in order, and carries sound and writing both ways."""

import threading

from actors.gateway.local import LocalAccount
from actors.local_room import ACCOUNT, GUILD, LOBBY, LocalRoom, Posted, Question, Written
from messages.attachment import Attachment
from messages.gateway import (
    Asker,
    ButtonAnswered,
    ButtonOutcome,
    ButtonPressed,
    ConfirmFailed,
    ConsentAnswered,
    ConsentAsked,
    ConsentOutcome,
    DeedDone,
    GatewayPortEvent,
    GatewayReady,
    MemberArrived,
    MemberDeparted,
    MessageGone,
    MessageSeen,
    OwnVoiceMoved,
    RolesKnown,
    Room,
    RoomRoster,
)
from messages.ids import ConfirmationId, DeedId, MessageId, PersonId, RoleId, RoomId
from messages.people import Person
from messages.tools import CreateThread, Deed, JoinThread, React, SendUpdate, Unreact
from tests.probe import Probe

DEN = RoomId("den")
ANNA = Person(id=PersonId("anna"), label="Anna")


def test_the_account_is_told_who_is_here_and_then_what_happens() -> None:
    room, heard = LocalRoom(DEN), list[GatewayPortEvent]()
    room.arrive(ANNA)
    room.attach_account(heard.append)
    room.consent(ANNA.id, True)
    room.type(ANNA.id, "hello")
    room.depart(ANNA.id)
    assert heard == [
        GatewayReady(account=ACCOUNT, rooms=(Room(id=DEN, guild=GUILD, name="den"),)),
        RoomRoster(room=DEN, people=(ANNA,)),
        ConsentAsked(room=DEN, person=ANNA.id, granted=True),
        MessageSeen(message=MessageId("den-1"), room=DEN, guild=GUILD, person=ANNA, text="hello"),
        MemberDeparted(room=DEN, person=ANNA.id),
    ]


def test_nobody_arrives_twice_or_leaves_or_writes_without_being_here() -> None:
    room, heard = LocalRoom(DEN), list[GatewayPortEvent]()
    room.attach_account(heard.append)
    heard.clear()
    room.depart(ANNA.id)
    room.type(ANNA.id, "hello")
    room.arrive(ANNA)
    room.arrive(ANNA)
    assert heard == [MemberArrived(room=DEN, person=ANNA)]
    assert room.people == (ANNA,)


def test_his_own_coming_and_going_is_told_once_each() -> None:
    room, heard = LocalRoom(DEN), list[GatewayPortEvent]()
    room.attach_account(heard.append)
    heard.clear()
    room.kick()
    room.enter()
    room.enter()
    assert room.present
    room.kick()
    room.exit()
    assert heard == [OwnVoiceMoved(guild=GUILD, room=DEN), OwnVoiceMoved(guild=GUILD, room=None)]


def test_an_account_that_went_offline_is_told_nothing_and_is_not_here() -> None:
    room, heard = LocalRoom(DEN), list[GatewayPortEvent]()
    room.attach_account(heard.append)
    room.enter()
    room.detach_account()
    heard.clear()
    room.arrive(ANNA)
    assert heard == []
    assert not room.present


def test_packets_reach_whoever_listens_and_taps_can_be_taken_out() -> None:
    room = LocalRoom(DEN)
    said, spoken, posted = list[tuple[PersonId, bytes]](), list[tuple[bytes, float]](), list[str]()
    room.send(ANNA.id, b"lost")

    def hear(person: PersonId, packet: bytes, _at: float) -> None:
        said.append((person, packet))

    room.attach_sound(hear)
    room.detach_sound(lambda *_: None)
    room.send(ANNA.id, b"kept")
    room.detach_sound(hear)
    room.send(ANNA.id, b"lost")
    untap_speech = room.tap_speech(lambda packet, at: spoken.append((packet, at)))
    untap_chat = room.tap_chat(posted.append)
    room.transmit(b"his", 2.0)
    room.post("hi")
    untap_speech()
    untap_chat()
    room.transmit(b"his", 3.0)
    room.post("ho")
    assert (said, spoken, posted) == ([(ANNA.id, b"kept")], [(b"his", 2.0)], ["hi"])


def test_people_hear_each_other_whether_or_not_anybody_of_his_listens() -> None:
    room, voices, his = LocalRoom(DEN), list[tuple[PersonId, bytes]](), list[tuple[PersonId, float]]()
    seconds = list[float]()

    def overhear(person: PersonId, packet: bytes, at: float) -> None:
        voices.append((person, packet))
        seconds.append(at)

    untap = room.tap_people(overhear)
    room.send(ANNA.id, b"one")
    room.attach_sound(lambda person, _packet, at: his.append((person, at)))
    room.send(ANNA.id, b"two")
    room.transmit(b"his own", 1.0)
    untap()
    room.send(ANNA.id, b"three")
    assert voices == [(ANNA.id, b"one"), (ANNA.id, b"two")]
    assert his[0] == (ANNA.id, seconds[1])


def test_whoever_watches_is_told_of_every_change_and_of_nothing_else() -> None:
    room, seen = LocalRoom(DEN), list[tuple[int, bool, Question | None]]()
    account = LocalAccount(room)
    account.open(lambda _event: None)
    unwatch = room.watch(lambda: seen.append((len(room.people), room.present, room.question)))
    room.arrive(ANNA)
    room.arrive(ANNA)
    account.enter(DEN)
    account.enter(DEN)
    account.confirm(ConfirmationId("c"), DEN, "may I?")
    account.confirm(ConfirmationId("elsewhere"), LOBBY, "and here?")
    account.settle(ConfirmationId("c"), "granted")
    account.settle(ConfirmationId("c"), "granted")
    room.depart(ANNA.id)
    room.depart(ANNA.id)
    account.close()
    account.close()
    room.kick()
    asked = Question(room=DEN, text="may I?")
    assert seen == [
        *((1, False, None), (1, True, None), (1, True, asked), (1, True, asked), (1, True, None)),
        *((0, True, None), (0, False, None)),
    ]
    unwatch()
    room.arrive(ANNA)
    assert len(seen) == 7


def test_somebody_who_is_put_out_is_seen_to_be_gone() -> None:
    room, seen = LocalRoom(DEN), list[bool]()
    room.enter()
    room.watch(lambda: seen.append(room.present))
    room.kick()
    assert seen == [False]


def test_consent_is_answered_to_whoever_gave_it_also_when_there_is_nobody_to_hear() -> None:
    room, heard, answers = LocalRoom(DEN), list[GatewayPortEvent](), Probe[ConsentAnswered]()
    room.consent(ANNA.id, True)
    room.consent(ANNA.id, True, answers)
    assert answers.received() == [ConsentAnswered(outcome=ConsentOutcome.NO_STAY, room=None)]
    room.attach_account(heard.append)
    room.consent(ANNA.id, False, answers)
    assert heard[2:] == [ConsentAsked(room=DEN, person=ANNA.id, granted=False, reply_to=answers)]
    assert len(answers.received()) == 1


def test_an_account_that_is_slow_to_listen_holds_up_neither_sound_nor_the_chat() -> None:
    room, stuck, go_on = LocalRoom(DEN), threading.Event(), threading.Event()
    carried = list[object]()

    def listen(event: GatewayPortEvent) -> None:
        if isinstance(event, MemberArrived):
            stuck.set()
            go_on.wait(5.0)

    room.attach_account(listen)
    room.attach_sound(lambda _person, packet, _at: carried.append(packet))
    room.tap_speech(lambda packet, _at: carried.append(packet))
    room.tap_chat(carried.append)
    arriving = threading.Thread(target=room.arrive, args=(ANNA,))
    arriving.start()
    assert stuck.wait(5.0)
    room.send(ANNA.id, b"hers")
    room.transmit(b"his", 1.0)
    room.post("hi")
    assert arriving.is_alive()
    go_on.set()
    arriving.join(5.0)
    assert carried == [b"hers", b"his", "hi"]


def test_what_an_account_does_while_it_is_told_something_does_not_lock_it_out() -> None:
    room, heard = LocalRoom(DEN), list[type[GatewayPortEvent]]()

    def listen(event: GatewayPortEvent) -> None:
        heard.append(type(event))
        if isinstance(event, MemberArrived):
            room.enter()

    room.attach_account(listen)
    room.arrive(ANNA)
    assert heard[2:] == [MemberArrived, OwnVoiceMoved]


# --- what is written ------------------------------------------------------------------------------

CREW = frozenset({RoleId("9")})


def on_its_account() -> tuple[LocalRoom, LocalAccount, list[GatewayPortEvent]]:
    room, heard = LocalRoom(DEN), list[GatewayPortEvent]()
    account = LocalAccount(room)
    account.open(heard.append)
    heard.clear()
    return room, account, heard


def test_the_lobby_takes_messages_from_anybody_and_all_of_them_are_for_him() -> None:
    room, _, heard = on_its_account()
    message = room.write(ANNA, "come over", CREW)
    room.take_back(message)
    room.take_back(message)
    assert heard == [
        MessageSeen(
            message=message,
            room=LOBBY,
            guild=GUILD,
            person=ANNA,
            text="come over",
            roles=CREW,
            mentions_him=True,
        ),
        MessageGone(room=LOBBY, message=message),
    ]


def test_what_he_posts_is_read_with_its_files_and_only_the_rooms_own_words_in_its_chat() -> None:
    room, account, _ = on_its_account()
    posts, words = list[Posted](), list[str]()
    untap = room.tap_posts(posts.append)
    room.tap_chat(words.append)
    picture = Attachment(name="a.png", kind="image/png", data=b"png")
    account.post(LOBBY, "look", MessageId("m"), (picture,))
    account.post(DEN, "hello", None)
    account.post(RoomId("nowhere"), "lost", None)
    untap()
    account.post(DEN, "again", None)
    assert posts == [
        Posted(room=LOBBY, text="look", reply_to=MessageId("m"), attachments=(picture,)),
        Posted(room=DEN, text="hello"),
    ]
    assert words == ["hello", "again"]


def test_what_people_write_is_read_by_the_others_before_he_answers_it() -> None:
    room, account, _ = on_its_account()
    lines = list[Written | Posted]()
    account.open(lambda _event: room.post("his answer"))
    lines.clear()
    room.tap_posts(lines.append)
    untap = room.tap_written(lines.append)
    room.write(ANNA, "to you")
    room.arrive(ANNA)
    lines.clear()
    room.type(ANNA.id, "to all")
    untap()
    room.type(ANNA.id, "again")
    assert lines == [
        Written(room=DEN, author=ANNA, text="to all"),
        Posted(room=DEN, text="his answer"),
        Posted(room=DEN, text="his answer"),
    ]


def test_a_button_of_one_chat_answers_the_question_of_that_chat() -> None:
    room, account, heard = on_its_account()
    answers = Probe[ButtonAnswered]()
    account.confirm(ConfirmationId("here"), DEN, "may I?")
    account.confirm(ConfirmationId("there"), LOBBY, "and there?")
    room.press(ANNA, True, room=DEN)
    room.press(ANNA, True)
    pressed = [one.confirmation for one in heard if isinstance(one, ButtonPressed)]
    assert pressed == ["here", "there"]
    account.settle(ConfirmationId("here"), "granted")
    room.press(ANNA, True, answers, room=DEN)
    assert [answer.outcome for answer in answers.received()] == [ButtonOutcome.OVER]


def test_emojis_stand_under_a_message_until_they_are_taken_back_or_it_is() -> None:
    room, account, heard = on_its_account()
    message = room.write(ANNA, "nice?")
    done = DeedId("d")
    account.do(done, React(emoji="👍"), LOBBY, message)
    account.do(done, React(emoji="🎉"), LOBBY, message)
    account.do(done, Unreact(emoji="👍"), LOBBY, message)
    assert room.chat.reactions == {(message, "🎉")}
    room.take_back(message)
    assert room.chat.reactions == frozenset()
    assert heard[1:4] == [DeedDone(deed=done)] * 3


def test_what_cannot_be_done_here_says_why() -> None:
    room, account, heard = on_its_account()
    message = room.write(ANNA, "go on")
    deeds: list[tuple[Deed, RoomId, MessageId | None, str]] = [
        (React(emoji=":party:"), LOBBY, message, "unknown_emoji"),
        (React(emoji="👍"), LOBBY, MessageId("lobby-7"), "gone"),
        (React(emoji="👍"), DEN, None, "gone"),
        (CreateThread(name="aside"), LOBBY, message, "unsupported"),
        (JoinThread(), LOBBY, message, "unsupported"),
        (SendUpdate(text="soon"), RoomId("nowhere"), message, "gone"),
        (SendUpdate(text="soon"), LOBBY, message, ""),
    ]
    for deed, where, about, _ in deeds:
        account.do(DeedId("d"), deed, where, about)
    failed = [event.failed for event in heard if isinstance(event, DeedDone)]
    assert failed == [code for *_, code in deeds]


def test_a_question_waits_until_it_is_settled_and_says_who_pressed() -> None:
    room, account, heard = on_its_account()
    posts, answers = list[Posted](), Probe[ButtonAnswered]()
    room.tap_posts(posts.append)
    question = ConfirmationId("c")
    account.confirm(question, DEN, "may I?")
    assert posts == [Posted(room=DEN, text="may I?", question=question)]
    room.press(ANNA, True, answers, CREW)
    [pressed] = heard
    assert isinstance(pressed, ButtonPressed)
    assert (pressed.confirmation, pressed.granted) == (question, True)
    assert pressed.asker == Asker(person=ANNA, guild=GUILD, roles=CREW)
    pressed.reply_to.tell(ButtonAnswered(outcome=ButtonOutcome.GRANTED))
    account.settle(question, "granted")
    account.settle(question, "dropped")
    assert room.chat.settled == ((question, "granted"),)
    room.press(ANNA, True, answers)
    room.press(ANNA, False)
    assert [answer.outcome for answer in answers.received()] == [ButtonOutcome.GRANTED, ButtonOutcome.OVER]
    assert len(heard) == 1


def test_nobody_can_be_asked_where_there_is_no_chat_and_there_are_no_roles() -> None:
    _, account, heard = on_its_account()
    account.confirm(ConfirmationId("c"), RoomId("nowhere"), "may I?")
    account.look_up(GUILD, ANNA.id)
    assert heard == [
        ConfirmFailed(confirmation=ConfirmationId("c"), failed="unsupported"),
        RolesKnown(guild=GUILD, person=ANNA.id, roles=frozenset()),
    ]
