"""The old line carries sound until the new one is up, and what it says afterwards is an old letter."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from actors.audio.opus import OpusDecoder
from actors.voice.media import acts, credentials, mail
from actors.voice.media import lines as module
from actors.voice.media.close_codes import Plan, verdict
from actors.voice.media.credentials import Credentials
from actors.voice.media.lines import ALONE_SECONDS, Lines
from actors.voice.media.listening import Listening
from actors.voice.media.web import Network
from tests.actors.voice.media.hearing import Keys

CALL = mail.Open(connection=1, user=1, guild=2, channel=3)
UP = acts.Up(ssrc=7, mode="aes", secret_key=bytes(32), dave_version=1)
ADA, HER_STREAM = 11, 71
SECURE_SECONDS = 10.0


class Way:
    cipher = None

    def __init__(self) -> None:
        self.kept_alive: list[float] = []

    def keep_alive(self, now: float) -> None:
        self.kept_alive.append(now)


class Line:
    """A line that the test brings up."""

    made: list[Line]

    def __init__(self, *, credentials: Credentials, **_rest: object) -> None:
        self.token = credentials.token
        self.way, self.group = Way(), Keys()
        self.up: acts.Up | None = None
        self.up_at = 0.0
        self.people: frozenset[int] = frozenset({ADA})
        self.named = frozenset({ADA})
        self.streams: dict[int, int] = {}
        self.ready = True
        self.work_waiting = False
        self.worked = 0
        self.closed = False
        Line.made.append(self)

    def work(self, _now: float) -> None:
        self.worked += 1
        self.work_waiting = False

    def close(self) -> None:
        self.closed = True


class Listened(Listening):
    def __init__(self) -> None:
        super().__init__(OpusDecoder, lambda _heard: None)
        self.told: list[tuple[str, int]] = []

    def speaker(self, ssrc: int, user: int) -> None:
        self.told.append(("speaker", user))

    def departed(self, user: int) -> None:
        self.told.append(("departed", user))

    def datagram(self, datagram: bytes, now: float) -> None:
        self.told.append(("datagram", len(datagram)))


class Scene:
    def __init__(self) -> None:
        self.told: list[mail.News] = []
        self.listening = Listened()
        self.lines = Lines(
            CALL,
            network=Network(tls=None, proxy=None, webs=set()),  # type: ignore[arg-type]
            listening=self.listening,
            make_group=lambda _call: Keys(),
            secure_seconds=SECURE_SECONDS,
            tell=self.told.append,
            work=lambda: None,
            listened=lambda: None,
        )

    @property
    def current(self) -> object:
        return self.lines.current

    def line(self, token: str) -> Line:
        self.lines.state("session")
        self.lines.server(token, "localhost:1")
        return Line.made[-1]

    def comes_up(self, line: Line, *, ready: bool = True) -> None:
        line.up, line.up_at, line.ready = UP, time.monotonic(), ready
        self.lines.changed(line)  # type: ignore[arg-type]

    def ends(self, line: Line, code: int | None) -> None:
        found = verdict(code)
        lost = acts.Lost(code=code, plan=found.plan, reason=found.reason, remedy=found.remedy)
        self.lines.lost(line, lost)  # type: ignore[arg-type]

    def notes(self) -> list[str]:
        return [one.text for one in self.told if isinstance(one, mail.Note)]

    def losses(self) -> list[str]:
        return [one.reason for one in self.told if isinstance(one, mail.Lost)]

    def times(self, kind: type[mail.News]) -> int:
        return sum(isinstance(one, kind) for one in self.told)


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Scene], object]], None]:
    monkeypatch.setattr(module, "Line", Line)
    Line.made = []

    def run(story: Callable[[Scene], object]) -> None:
        async def scene() -> None:
            made = Scene()
            story(made)
            made.lines.close()
            assert all(line.closed for line in Line.made)

        asyncio.run(scene())

    return run


Play = Callable[[Callable[[Scene], object]], None]


def test_the_old_line_goes_when_the_new_one_is_up(play: Play) -> None:
    def story(scene: Scene) -> None:
        old = scene.line("old")
        scene.comes_up(old)
        new = scene.line("new")
        assert scene.current is old
        assert not old.closed
        new.streams = {HER_STREAM: ADA}
        scene.comes_up(new)
        assert scene.current is new
        assert (old.closed, new.closed) == (True, False)
        assert scene.listening.told == [("speaker", ADA)]
        assert scene.times(mail.Up) == scene.times(mail.Reached) == 2

    play(story)


def test_the_end_of_a_line_that_is_being_replaced_is_no_news(play: Play) -> None:
    """A move closes the old line with 4014, between the two updates or after both."""

    def story(scene: Scene) -> None:
        old = scene.line("old")
        scene.comes_up(old)
        new = scene.line("new")
        scene.ends(old, 4014)
        assert (scene.losses(), scene.current) == ([], None)
        scene.comes_up(new)
        scene.ends(old, 4014)
        assert (scene.losses(), scene.current) == ([], new)
        scene.ends(new, 4006)
        assert scene.losses() == ["session_invalid"]

    play(story)


def test_the_end_of_a_line_whose_next_server_is_known_already_is_no_news(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where he had not followed yet to the one before: what he has to show there is void, with 4004."""

    def story(scene: Scene) -> None:
        scene.comes_up(scene.line("old"))
        late = scene.line("late")
        monkeypatch.setattr(credentials, "RECENT", -1.0)
        scene.lines.server("new", "localhost:2")
        scene.ends(late, 4004)
        assert (scene.losses(), late.closed) == ([], True)

    play(story)


def test_what_an_old_line_says_of_people_and_sound_is_not_heard(play: Play) -> None:
    def story(scene: Scene) -> None:
        old = scene.line("old")
        scene.comes_up(old)
        scene.comes_up(scene.line("new"))
        scene.lines.changed(old)  # type: ignore[arg-type]
        scene.lines.named(old, HER_STREAM, ADA)  # type: ignore[arg-type]
        scene.lines.departed(old, ADA)  # type: ignore[arg-type]
        scene.lines.sound(old, [b"sound"])  # type: ignore[arg-type]
        assert scene.listening.told == []
        assert scene.current is not old

    play(story)


def test_a_line_that_is_not_up_yet_makes_room_for_a_newer_one(play: Play) -> None:
    def story(scene: Scene) -> None:
        current = scene.line("first")
        scene.comes_up(current)
        second, third = scene.line("second"), scene.line("third")
        assert (current.closed, second.closed, third.closed) == (False, True, False)

    play(story)


def test_a_group_that_does_not_form_is_given_up_in_time_unless_he_is_alone(play: Play) -> None:
    def story(scene: Scene) -> None:
        line = scene.line("first")
        scene.comes_up(line, ready=False)
        scene.lines.pulse(100.0)
        line.people = frozenset()
        scene.lines.pulse(109.0)
        line.people = frozenset({ADA})
        for now in (110.0, 110.0 + SECURE_SECONDS - 0.1):
            scene.lines.pulse(now)
            assert scene.losses() == []
        scene.lines.pulse(110.0 + SECURE_SECONDS)
        assert scene.losses() == ["dave_not_ready"]
        lost = next(one for one in scene.told if isinstance(one, mail.Lost))
        assert lost.plan == Plan.FRESH.value
        assert line.closed

    play(story)


def test_that_he_is_of_use_is_said_once_of_a_line_and_of_the_group_when_it_changes(play: Play) -> None:
    def story(scene: Scene) -> None:
        line = scene.line("first")
        scene.comes_up(line, ready=False)
        assert scene.times(mail.Up) == 0
        line.group.privacy_code = "12345"
        for _ in range(2):
            scene.comes_up(line)
        assert scene.times(mail.Up) == scene.times(mail.Secured) == scene.times(mail.Reached) == 1

    play(story)


@pytest.mark.parametrize(
    ("code", "said"), [(4017, "closed with 4017, dave_required"), (None, "connection_lost")]
)
def test_what_ended_a_line_is_noted_with_what_helps(play: Play, code: int | None, said: str) -> None:
    def story(scene: Scene) -> None:
        scene.ends(scene.line("first"), code)
        (note,) = scene.notes()
        assert f"{said}: {verdict(code).remedy}" in note

    play(story)


def test_whoever_is_alone_for_a_moment_is_up_without_a_group(play: Play) -> None:
    def story(scene: Scene) -> None:
        line = scene.line("first")
        line.people = frozenset()
        scene.comes_up(line, ready=False)
        assert scene.times(mail.Up) == 0
        line.up_at -= ALONE_SECONDS
        scene.lines.changed(line)  # type: ignore[arg-type]
        assert scene.times(mail.Up) == 1

    play(story)


def test_whoever_has_keys_and_was_not_named_is_written_down_once(play: Play) -> None:
    def story(scene: Scene) -> None:
        line = scene.line("first")
        line.group.members = frozenset({CALL.user, ADA})
        scene.comes_up(line)
        assert scene.times(mail.Note) == 0
        line.group.members |= {99}
        for _ in range(2):
            scene.lines.changed(line)  # type: ignore[arg-type]
        (note,) = (one for one in scene.told if isinstance(one, mail.Note))
        assert "[99]" in note.text

    play(story)


def test_work_is_done_on_the_line_that_has_some(play: Play) -> None:
    def story(scene: Scene) -> None:
        current = scene.line("first")
        scene.comes_up(current)
        new = scene.line("second")
        new.work_waiting = True
        assert scene.lines.work_waiting
        scene.lines.work(1.0)
        assert (current.worked, new.worked, scene.lines.work_waiting) == (0, 1, False)

    play(story)
