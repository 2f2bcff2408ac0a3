"""Everything that can go wrong in an evening, and how it is brought about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from actors.console.knock import ClientError
from supervisors.rehearsal.scenario import BadScenario
from tests.reliability.chaos.faults import (
    account,
    actors,
    clock,
    console,
    disk,
    lines,
    link,
    people,
    process,
    providers,
    sound,
)
from tests.reliability.chaos.faults.effect import Effect, Ending, Fault, at_once
from tests.reliability.chaos.trouble import Kind
from tests.reliability.program import NotAlive

if TYPE_CHECKING:
    from tests.reliability.chaos.plan import Happening
    from tests.reliability.night import Evening

__all__ = ["FAULTS", "Effect", "Ending", "begin"]

FAULTS: Final[Mapping[Kind, Fault]] = {
    Kind.ACTOR_CRASHES: actors.crashes,
    Kind.TWO_CRASH: actors.two_crash,
    Kind.BUDGET_NEARLY_SPENT: actors.nearly_too_often,
    Kind.MEDIA_KILLED: process.media_killed,
    Kind.MEDIA_STOPPED: process.media_stopped,
    Kind.SUSPENDED: process.suspended,
    Kind.CUT: lines.cut,
    Kind.HALF_OPEN: lines.half_open,
    Kind.STALLED: lines.stalled,
    Kind.GARBAGE: lines.garbage,
    Kind.SOUND_LOST: sound.lost,
    Kind.SOUND_LOSSY: sound.lossy,
    Kind.SOUND_REORDERED: sound.reordered,
    Kind.SOUND_DOUBLED: sound.doubled,
    Kind.SOUND_GARBAGE: sound.garbage,
    Kind.SOUND_REPORTS: sound.reports,
    Kind.SERVER_MOVES: link.server_moves,
    Kind.RESUME_REFUSED: link.resume_refused,
    Kind.VOICE_CLOSED: link.closed,
    Kind.KICKED: link.kicked,
    Kind.MOVED: link.moved,
    Kind.NO_HEARTBEAT: link.no_heartbeat,
    Kind.ASKED_TO_RECONNECT: account.asked_to_reconnect,
    Kind.SESSION_INVALID: account.session_invalid,
    Kind.FLAPPING: people.flapping,
    Kind.LEAVES: people.leaves,
    Kind.ELSEWHERE: people.elsewhere,
    Kind.CONSENT_FLIPS: people.consent_flips,
    Kind.STRANGER: people.stranger,
    Kind.STREAM_REUSED: people.stream_reused,
    Kind.SECOND_DEVICE: people.second_device,
    Kind.TOO_MANY: providers.too_many,
    Kind.KEY_REFUSED: providers.key_refused,
    Kind.SERVER_ERROR: providers.server_error,
    Kind.QUOTA: providers.quota,
    Kind.SESSION_EXPIRES: providers.session_expires,
    Kind.NO_HANDSHAKE: providers.no_handshake,
    Kind.SLOW: providers.slow,
    Kind.CONTEXT_CAP: providers.context_cap,
    Kind.DISK_FULL: disk.full,
    Kind.DISK_READ_ONLY: disk.read_only,
    Kind.RECORD_DELETED: disk.deleted,
    Kind.RECORD_RENAMED: disk.renamed,
    Kind.CLOCK_STEPS: clock.steps,
    Kind.ORDER_SAY: console.say,
    Kind.ORDER_HUSH: console.hush,
    Kind.ORDER_INTERRUPT: console.interrupt,
    Kind.ORDER_WITHDRAW: console.withdraw,
    Kind.ORDER_ASK: console.ask,
    Kind.ORDER_RESTART: console.restart,
    Kind.ORDER_ELSEWHERE: console.elsewhere,
    Kind.ORDER_LEAVE: console.leave,
    Kind.ORDER_FLUSH: console.flush,
    Kind.ORDER_NONSENSE: console.nonsense,
    Kind.ORDER_FORGED: console.forged,
    Kind.VIEWER_STUCK: console.viewer_stuck,
}
"""Who brings each kind about."""
TROUBLES: Final = (AssertionError, BadScenario, ClientError, LookupError, NotAlive, OSError)
"""What an evening in which other things go wrong may answer."""


def begin(happening: Happening, evening: Evening) -> Ending:
    """Let it begin, and return what ends it; both may take some seconds, and neither raises."""
    try:
        end = FAULTS[happening.kind](happening, evening)
    except TROUBLES as error:
        return at_once(0, f"it could not begin: {_in_words(error)}")

    def ended() -> Effect:
        try:
            return end()
        except TROUBLES as error:
            return Effect(hits=0, why=f"it could not end: {_in_words(error)}")

    return ended


def _in_words(error: BaseException) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
