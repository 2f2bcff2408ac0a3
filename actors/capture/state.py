"""What a listener knows: whose ear it is, the open segment, the words that are awaited."""

from __future__ import annotations

from dataclasses import dataclass, field

from actors.capture.filters import PhraseBook
from actors.capture.segment import Lengths, Segment, lengths
from actors.capture.settings import CaptureSettings
from messages.ids import CaptureId, Connection, StayId, Token
from messages.people import Person
from messages.usage import Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class Ear:
    """Whose ear this is; never changes."""

    stay: StayId
    person: Person
    capture: CaptureId
    settings: CaptureSettings
    book: PhraseBook
    lengths: Lengths = field(init=False)
    """The settings, counted in windows once for all windows."""

    def __post_init__(self) -> None:
        """Count them."""
        object.__setattr__(self, "lengths", lengths(self.settings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaited:
    """A closed segment whose words are on their way."""

    segment: Segment
    closed_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """How sound has come so far; every window makes it anew."""

    heard_at: float = 0.0
    """When the last window ended."""
    unbroken: int = 0
    """Windows since no packet came for longer than a pre-roll: what was before is part of nothing after."""
    run: int = 0
    """Voiced windows in a row while no segment is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcriber:
    """How the one who writes down words is doing."""

    connection: Connection | None = None
    connections: int = 0
    awaited: tuple[Awaited, ...] = ()
    retry_at: float = 0.0
    retry_after: float = 0.0
    """The pause after the next loss; 0 when the last connection worked."""
    idle_since: float = 0.0
    missed: bool = False
    """Whether the last thing that was to bring words, a final or the connection, has failed to."""
    trouble: str | None = None
    """Why no words come, as the stay was last told: empty if they do, None while nothing was told."""
    failed: int = 0
    """Finals that never came."""


_NO_SOUND = Flow()
_UNUSED = Transcriber()


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One listener. Times are monotonic seconds."""

    ear: Ear
    flow: Flow = _NO_SOUND
    open: Segment | None = None
    segments: int = 0
    closely: bool = False
    transcriber: Transcriber = _UNUSED
    token: Token = Token(0)  # noqa: RUF009 (a number)
    wake_at: float | None = None
    spent: Spending | None = None
    """What is not on record yet."""
    spent_since: float = 0.0
    """When the first of it was spent."""

    def after_window(self, flow: Flow, segment: Segment | None) -> State:
        """The same after one more window, spelled out because it is what an ear does all day."""
        return State(
            ear=self.ear,
            flow=flow,
            open=segment,
            segments=self.segments,
            closely=self.closely,
            transcriber=self.transcriber,
            token=self.token,
            wake_at=self.wake_at,
            spent=self.spent,
            spent_since=self.spent_since,
        )


def facts(state: State) -> dict[str, str | int | bool]:
    """What a status page may know of a listener: nothing of what was said."""
    return {
        "person": state.ear.person.id,
        "hearing": state.open is not None,
        "listening_closely": state.closely,
        "segments": state.segments,
        "awaited": len(state.transcriber.awaited),
        "failed": state.transcriber.failed,
        "trouble": state.transcriber.trouble or "",
    }
