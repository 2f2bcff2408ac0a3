"""Answers go where the question came from; a new life tells what the last one left undone."""

import pytest

from actors.captain.decisions import Begin, Decision, Forget, Journal
from actors.captain.events import CaptainCloses, CaptainOpens, PersonForgotten
from actors.captain.journal import (
    OPERATOR_LANE,
    Book,
    Entry,
    HeardAsked,
    LaneId,
    Note,
    SaidAnswer,
    ToolBegun,
    TurnOver,
)
from actors.captain.journalling import MOST_LANES
from actors.captain.settings import CaptainSettings
from actors.captain.state import REMEMBERED_STAYS
from messages.attachment import Attachment
from messages.authority import Surface
from messages.captain import (
    AccountOpened,
    ForgetInMind,
    LossTold,
    MachineDone,
    NotesAsked,
    Question,
    ResultUnsaid,
    StayIsOver,
)
from messages.console import OperatorAnswered
from messages.evidence import Failed, Handoff
from messages.gateway import (
    ForgetAnswered,
    LeaveAnswered,
    NotesAnswered,
    PostText,
    RefusedLeave,
    TextAnswered,
    TurnLost,
)
from messages.ids import CallId, HandoffId, MessageId, RoomId, StayId
from messages.lifecycle import Ending
from messages.realtime import HandoffFailed, HandoffReturned
from messages.tools import LeaveVoice as GoAway
from messages.tools import UseMachine
from tests.actors.captain.scene import (
    ADA,
    BEN,
    CLEO,
    DEN,
    Desk,
    aloud,
    decided,
    entries,
    gives,
    known,
    says,
    told,
    typed,
    wants,
    wrote,
)
from tests.probe import Probe

LIST = UseMachine(tool="music__list", arguments="{}")
OVER = StayIsOver(stay=StayId("stay"))


def draws(desk: Desk, question: Question, *sizes: int) -> list[Decision]:
    """A tool gives pictures of these sizes, and the mind answers."""
    desk.do(question, known("a"), wants("a", LIST))
    files = tuple(
        Attachment(name=f"{place}.png", kind="image/png", data=bytes(size))
        for place, size in enumerate(sizes)
    )
    done = MachineDone(handoff=HandoffId("a"), call=CallId("c1"), text="Drawn.", attachments=files)
    return desk.do(done, says("a", 2, "Here."))


def test_files_go_along_with_an_answer_in_writing() -> None:
    (answer,) = told(draws(Desk(servers=True), wrote("a"), 10), TextAnswered)
    assert (answer.text, [file.name for file in answer.attachments]) == ("Here.", ["0.png"])


@pytest.mark.parametrize(
    ("sizes", "names"),
    [((1,) * 5, ["0.png", "1.png", "2.png", "3.png"]), ((9 * 2**20, 1), ["1.png"])],
    ids=["many", "large"],
)
def test_only_so_many_files_and_so_much_of_them_go_along(sizes: tuple[int, ...], names: list[str]) -> None:
    (answer,) = told(draws(Desk(servers=True), wrote("a"), *sizes), TextAnswered)
    assert [file.name for file in answer.attachments] == names


def test_files_for_somebody_who_spoke_are_put_into_the_rooms_chat() -> None:
    decisions = draws(Desk(servers=True), aloud("a"), 10)
    (post,) = told(decisions, PostText)
    assert (post.room, post.text, len(post.attachments)) == ("room", "0.png", 1)
    (returned,) = told(decisions, HandoffReturned)
    assert returned.text == "Here.\n(These files are in the room's chat now: 0.png.)"


def test_an_operator_reads_the_names_of_files() -> None:
    (answer,) = told(draws(Desk(servers=True), typed("a"), 10), OperatorAnswered)
    assert answer.files == ("0.png",)


def test_a_result_after_the_stay_is_written_into_its_room() -> None:
    desk = Desk()
    ended = desk.do(aloud("a"), known("a"), OVER, says("a", text="Under the mat."))
    assert [one.text for one in told(ended, PostText)] == ["About “do a”: Under the mat."]
    assert [one.phase for one in told(ended, Handoff)] == ["began", "posted"]
    assert told(ended, HandoffReturned) == []


def test_whoever_has_had_him_go_is_answered_in_writing_even_before_the_stay_is_over() -> None:
    desk = Desk()
    desk.do(aloud("a"), known("a"), wants("a", GoAway()))
    gone = LeaveAnswered(room=RoomId("room"))
    ended = desk.do(gives("a", gone), says("a", text="It opens at nine.", step=2), OVER)
    assert [one.text for one in told(ended, PostText)] == ["About “do a”: It opens at nine."]
    assert (told(ended, HandoffReturned), desk.state.over) == ([], (StayId("stay"),))


def test_whoever_might_not_have_him_go_is_still_answered_aloud() -> None:
    desk = Desk()
    desk.do(aloud("a"), known("a"), wants("a", GoAway()))
    refused = LeaveAnswered(room=None, refused=RefusedLeave.AUTHORITY)
    ended = desk.do(gives("a", refused), says("a", text="I may not.", step=2))
    assert [one.text for one in told(ended, HandoffReturned)] == ["I may not."]


@pytest.mark.parametrize(("post", "text", "reason"), [(False, "Mat.", "stay_over"), (True, "", "silent")])
def test_a_result_that_nobody_is_to_read_is_on_record(post: bool, text: str, reason: str) -> None:
    desk = Desk(CaptainSettings(post_after_stay=post))
    ended = desk.do(OVER, aloud("a"), known("a"), says("a", text=text))
    assert [(one.phase, one.reason) for one in told(ended, Handoff)][1:] == [("not_submitted", reason)]
    assert told(ended, PostText) == []


def test_what_a_conversation_could_not_say_any_more_is_written() -> None:
    unsaid = ResultUnsaid(
        handoff=HandoffId("a"), stay=StayId("stay"), room=RoomId("room"), request="why", text="So."
    )
    decisions = Desk().do(unsaid)
    assert [one.text for one in told(decisions, PostText)] == ["About “why”: So."]
    assert [one.reason for one in told(decisions, Failed)] == ["result_posted"]
    decisions = Desk(CaptainSettings(post_after_stay=False)).do(unsaid)
    assert told(decisions, PostText) == []
    assert [one.reason for one in told(decisions, Failed)] == ["result_not_submitted"]


def test_stays_that_are_over_are_forgotten_one_day() -> None:
    desk = Desk()
    for number in range(REMEMBERED_STAYS + 1):
        desk.do(StayIsOver(stay=StayId(f"{number}")))
    assert len(desk.state.over) == REMEMBERED_STAYS


def test_nobody_waits_for_a_captain_who_is_gone() -> None:
    desk = Desk()
    desk.do(aloud("a"), wrote("b"), wrote("c", BEN), typed("o"))
    closed = desk.do(CaptainCloses(ending=Ending.CRASHED))
    assert [one.reason for one in told(closed, HandoffFailed)] == ["captain_closed"]
    assert [(one.message, one.failed) for one in told(closed, TextAnswered)] == [
        ("b", "captain_closed"),
        ("c", "captain_closed"),
    ]
    assert [one.failed for one in told(closed, OperatorAnswered)] == ["captain_closed"]
    assert [one.handoff for one in entries(closed, TurnOver)] == ["a", "b", "c", "o"]
    assert desk.state.trouble == ""


def test_what_only_waited_when_the_house_was_killed_is_told_of_as_well() -> None:
    desk = Desk()
    desk.do(wrote("a"), wrote("b", BEN))
    left = Book(lanes=tuple(desk.state.lanes.items()))
    again = Desk().do(CaptainOpens(book=left))
    assert [one.message for one in told(again, TurnLost)] == ["a", "b"]


def test_what_still_waits_is_no_history() -> None:
    desk = Desk()
    desk.do(wrote("x", BEN), wrote("a"), wrote("c", CLEO))
    (brief,) = [one.brief for one in decided(desk.do(says("x")), Begin)]
    assert {one.handoff for one in brief.history} == {"x"}


def test_a_house_that_stops_leaves_it_to_the_next_life_to_tell() -> None:
    desk = Desk()
    desk.do(wrote("a"))
    assert entries(desk.do(CaptainCloses(ending=Ending.SHUTDOWN)), TurnOver) == []


def asked(name: str, lane: str, *, into: str = "", surface: Surface = Surface.TEXT) -> tuple[LaneId, Entry]:
    spoken, operator = surface is Surface.VOICE, surface is Surface.OPERATOR
    entry = HeardAsked(
        at=1.0,
        handoff=HandoffId(name),
        surface=surface,
        room=None if operator else RoomId("room"),
        message=None if spoken or operator else MessageId(name),
        people=() if operator else (ADA.id,),
        label="Ada",
        text=f"do {name}",
        into=HandoffId(into) if into else None,
    )
    return LaneId(lane), entry


def book(*written: tuple[LaneId, Entry], notes: tuple[Note, ...] = ()) -> Book:
    lanes: dict[LaneId, tuple[Entry, ...]] = {}
    for lane, entry in written:
        lanes[lane] = (*lanes.get(lane, ()), entry)
    return Book(lanes=tuple(lanes.items()), notes=notes)


def test_what_was_at_work_is_told_once_and_never_begun_again() -> None:
    text, voice = LaneId("text-room"), "voice-room"
    left = book(
        asked("a", text),
        (text, TurnOver(at=2.0, handoff=HandoffId("a"), how="answered")),
        asked("b", text),
        asked("c", text, into="b"),
        (text, ToolBegun(at=2.0, handoff=HandoffId("b"), call=CallId("c1"), tool="voice_join")),
        asked("d", voice, surface=Surface.VOICE),
        asked("o", OPERATOR_LANE, surface=Surface.OPERATOR),
    )
    desk = Desk()
    opened = desk.do(CaptainOpens(book=left))
    assert [(one.room, one.message) for one in told(opened, TurnLost)] == [("room", "b"), ("room", None)]
    assert [(one.handoff, one.how) for one in entries(opened, TurnOver)] == [("o", "interrupted")]
    assert [one.handoff for one in told(desk.do(AccountOpened()), TurnLost)] == ["b", "d"]
    for name in ("b", "d"):
        over = entries(desk.do(LossTold(handoff=HandoffId(name))), TurnOver)
        assert [(one.handoff, one.how) for one in over] == [(name, "interrupted")]
        assert desk.do(LossTold(handoff=HandoffId(name))) == []
    assert desk.do(AccountOpened()) == []
    assert desk.state.turns == ()
    again = Desk().do(CaptainOpens(book=Book(lanes=tuple(desk.state.lanes.items()))))
    assert again == []


def test_whoever_wants_to_be_forgotten_is_and_what_he_asked_for_stops() -> None:
    desk, him = Desk(), Probe[ForgetAnswered]()
    note = Note(at=1.0, person=ADA.id, guild=DEN, room=None, text="likes tea")
    chess = Note(at=1.0, person=ADA.id, guild=DEN, room=RoomId("room"), text="we play chess")
    other = Note(at=1.0, person=BEN.id, guild=DEN, room=None, text="likes coffee")
    lane = LaneId("text-room")
    said = (lane, SaidAnswer(at=2.0, handoff=HandoffId("old"), text="Tea."))
    desk.do(CaptainOpens(book=book(asked("old", lane), said, notes=(note, chess, other))))
    desk.do(wrote("a"), wrote("b", BEN))
    gone = desk.do(ForgetInMind(person=ADA.id, was_heard=True, reply_to=him))
    assert [one.text for one in told(gone, TextAnswered)] == [""]
    (forget,) = decided(gone, Forget)
    assert (forget.notes, forget.asked.person, told(gone, ForgetAnswered)) == ((other,), ADA.id, [])
    done = PersonForgotten(asked=forget.asked, deleted=forget.deleted, whole=False)
    answer = ForgetAnswered(was_heard=True, notes=("likes tea", "we play chess"), remains=True)
    assert told(desk.do(done), ForgetAnswered) == [answer]
    left = desk.state.lanes[lane]
    assert not any(isinstance(entry, SaidAnswer) for entry in left)
    assert [entry.people for entry in left if isinstance(entry, HeardAsked)] == [(BEN.id,)]
    assert len(told(desk.do(says("b")), TextAnswered)) == 1


def test_whoever_asks_sees_what_is_noted_about_him() -> None:
    desk, him = Desk(), Probe[NotesAnswered]()
    note = Note(at=1.0, person=ADA.id, guild=DEN, room=None, text="likes tea")
    desk.do(CaptainOpens(book=Book(notes=(note,))))
    shown = desk.do(NotesAsked(person=ADA.id, reply_to=him), NotesAsked(person=BEN.id, reply_to=him))
    assert [one.notes for one in told(shown, NotesAnswered)] == [("likes tea",), ()]


def test_only_so_many_lanes_are_remembered() -> None:
    desk = Desk()
    for number in range(MOST_LANES + 1):
        desk.do(wrote(f"{number}", room=f"{number}"))
    assert len(desk.state.lanes) == MOST_LANES
    assert LaneId("text-0") not in desk.state.lanes
    assert len(decided(desk.do(says("0")), Journal)) == 2
