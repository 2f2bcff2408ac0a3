"""What goes wrong on a line by hand: one piece of bad news while he speaks, none otherwise, no slot lost."""

import pytest

from actors.net.line import EndedBy
from messages.ids import Connection
from tests.actors.tts.live.scene import ONE, TWO, Scene
from tests.actors.tts.live.talk import DIALOGUE, MODELS, error


@pytest.fixture(params=MODELS)
def scene(request: pytest.FixtureRequest) -> Scene:
    return Scene(str(request.param))


@pytest.mark.parametrize(
    ("reason", "code", "by"),
    [
        ("closed_1011", 1011, EndedBy.PEER),
        ("aborted", 1006, EndedBy.PEER),
        ("closed", 1000, EndedBy.PEER),
        ("unauthorized", None, EndedBy.FAULT),
        ("bad_frame", None, EndedBy.FAULT),
        ("send_stalled", None, EndedBy.FAULT),
    ],
)
def test_a_line_that_is_lost_while_he_speaks_is_one_piece_of_news_and_a_number_of_the_past(
    scene: Scene, reason: str, code: int | None, by: EndedBy
) -> None:
    scene.speak("u1")
    scene.speak("u2")
    scene.line.end(reason, code, by)
    assert scene.heard() == [f"1 lost: {reason}"]
    scene.speak("u3")
    scene.port.prepare(ONE)
    assert len(scene.dial.lines) == 1
    scene.wait(60.0)
    assert scene.heard() == []
    scene.speak("u1", connection=TWO)
    scene.finish("c3")
    assert scene.heard() == ["u1.0 spoken"]


def test_an_error_frame_is_its_code_once_and_the_line_is_closed(scene: Scene) -> None:
    scene.speak()
    scene.line.come(**error("quota_exceeded"))
    assert scene.line.closed
    scene.line.end("closed_1008", 1008)
    assert scene.heard() == ["1 lost: quota"]


def test_an_idle_line_ends_unheard_whatever_the_reason_and_is_dialled_again(scene: Scene) -> None:
    scene.speak(last=False)
    scene.sound()
    scene.turn_over()
    scene.heard()
    scene.line.end("closed_1001", 1001)
    scene.speak(unit=1)
    assert scene.sent()[:2] == ["open c2", "say c2"]
    scene.finish("c2")
    assert scene.heard() == ["u1.1 spoken"]
    scene.forget()
    scene.line.come(**error("input_timeout_exceeded"))
    assert scene.line.closed
    scene.line.end("closed_1008", 1008)
    scene.port.prepare(ONE)
    assert (scene.heard(), len(scene.dial.lines)) == ([], 3)


def test_a_refusal_before_anything_is_said_is_not_yet_news(scene: Scene) -> None:
    scene.port.prepare(ONE)
    scene.line.end("unauthorized", by=EndedBy.FAULT)
    assert scene.heard() == []
    scene.speak()
    scene.line.end("unauthorized", by=EndedBy.FAULT)
    assert scene.heard() == ["1 lost: unauthorized"]


def test_the_loss_of_an_older_line_is_news_of_that_line_only(scene: Scene) -> None:
    scene.speak("u1")
    older = scene.line
    scene.speak("u2", connection=TWO)
    older.end("aborted", 1006)
    assert scene.heard() == ["1 lost: aborted"]
    scene.finish("c2")
    assert scene.heard() == ["u2.0 spoken"]
    scene.port.prepare(TWO)
    assert len(scene.dial.lines) == 2


def test_after_the_port_is_closed_nothing_is_told_and_nothing_is_dialled(scene: Scene) -> None:
    scene.speak("u1")
    older = scene.line
    scene.speak("u2", connection=TWO)
    scene.port.close()
    for line in scene.dial.lines:
        assert line.farewell == {"close_socket": True}
        line.come(**error("quota_exceeded"))
        line.end("aborted", 1006)
    scene.port.close()
    scene.port.prepare(Connection(3))
    scene.speak("u3", connection=Connection(3))
    scene.forget()
    scene.wait(60.0)
    assert (scene.heard(), len(scene.dial.lines), older.over) == ([], 2, True)


def test_a_port_that_was_opened_again_begins_to_count_again(scene: Scene) -> None:
    scene.speak()
    scene.line.end("aborted", 1006)
    scene.port.close()
    scene.port.open(scene.take)
    scene.speak()
    scene.finish("c2")
    assert scene.heard() == ["1 lost: aborted", "u1.0 spoken"]


def test_a_fifth_utterance_waits_for_a_place_and_gets_it_when_one_has_ended(scene: Scene) -> None:
    for number in range(1, 6):
        scene.speak(f"u{number}", last=False)
    assert scene.sent().count("open c5") == 0
    scene.forget("u2")
    assert scene.sent() == ["close c2"]
    scene.final("c2")
    assert scene.sent() == ["open c5", "say c5", "flush c5"]


def test_places_taken_only_by_what_was_forgotten_are_waited_for_two_seconds(scene: Scene) -> None:
    for number in range(1, 5):
        scene.speak(f"u{number}", last=False)
        scene.forget(f"u{number}")
    first = scene.line
    scene.sent()
    scene.wait(1.0)
    scene.speak("u5")
    scene.wait(0.9)
    assert (scene.sent(), first.closed) == ([], False)
    scene.wait(0.1)
    assert first.closed
    assert first is not scene.line
    assert scene.sent()[:3] == ["open c5", "say c5", "flush c5"]
    first.end("aborted", 1006)
    scene.finish("c5")
    assert scene.heard() == ["u5.0 spoken"]


def test_a_line_on_which_a_context_never_ends_is_let_go_when_nobody_speaks_on_it(scene: Scene) -> None:
    scene.speak("u1", last=False)
    scene.forget("u1")
    scene.wait(29.0)
    scene.speak("u2")
    scene.wait(2.0)
    assert not scene.line.closed
    scene.finish("c2")
    assert scene.line.closed
    assert scene.heard() == ["u2.0 spoken"]
    scene.speak("u3")
    assert len(scene.dial.lines) == 2


def test_those_who_wait_on_an_older_line_wait_until_they_are_forgotten(scene: Scene) -> None:
    for number in range(1, 6):
        scene.speak(f"u{number}", last=False)
    older = scene.line
    scene.port.prepare(TWO)
    for number in range(1, 5):
        scene.forget(f"u{number}")
    scene.wait(3.0)
    assert (older.closed, len(scene.dial.lines)) == (False, 2)
    scene.forget("u5")
    assert older.closed
    assert scene.heard() == []


@pytest.mark.parametrize("final_after", [1, 3, None])
def test_twelve_interruptions_in_ten_seconds_leak_nothing(scene: Scene, final_after: int | None) -> None:
    for number in range(1, 13):
        scene.speak(f"u{number}", last=False)
        scene.wait(0.4)
        scene.forget(f"u{number}")
        scene.wait(0.4)
        if final_after is not None and number > final_after:
            scene.final(f"c{number - final_after}")
    scene.speak("u13")
    scene.wait(2.0)
    context = _context_of_the_last(scene)
    scene.sound(context)
    scene.finish(context)
    assert scene.heard()[-1] == "u13.0 spoken"
    assert len([line for line in scene.dial.lines if not line.closed]) == 1
    if final_after is not None:
        assert len(scene.dial.lines) == 1


def _context_of_the_last(scene: Scene) -> str:
    return next(kind.split()[1] for kind in reversed(scene.sent()) if kind.startswith("open"))


def test_no_more_of_a_key_or_a_text_is_shown_than_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    scene = Scene(DIALOGUE)
    scene.speak(text="A secret sentence.")
    scene.line.come(**error("You have used up: A secret sentence."))
    assert scene.heard() == ["1 lost: provider_error"]
    shown = "".join(capfd.readouterr()) + repr(scene.dial.last.target)
    assert "secret" not in shown
