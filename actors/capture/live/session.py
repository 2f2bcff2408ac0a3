"""One line writes down one person's words: sound in, a commit at each pause, and words for each commit."""

from __future__ import annotations

from typing import Final, Protocol, assert_never

from loguru import logger

from actors.capture.decisions import Ask
from actors.capture.live.hello import HELLO
from actors.capture.live.outlet import Outlet
from actors.capture.live.pieces import Ledger, Piece, Segment
from actors.capture.live.wire import (
    EMPTY_COMMIT,
    Cleared,
    Committed,
    MoreText,
    News,
    NotTranscribed,
    Refused,
    SetUp,
    Transcribed,
    decode,
)
from actors.net.line import Dial, Ended, Target
from actors.net.reasons import FORBIDDEN, NOT_FOUND, QUOTA, SESSION_EXPIRED, UNAUTHORIZED
from actors.net.usage import OPENAI, Tokens
from messages.audio import RATE
from messages.capture import CapturePortEvent, ListenerSpent, TranscriptFailed, TranscriptReady
from messages.ids import Connection, SegmentId

BYTES_A_MILLISECOND: Final = RATE * 2 // 1000
LEAST_BYTES: Final = 100 * BYTES_A_MILLISECOND
"""A commit of less than 100 ms is refused."""
_FATAL: Final = frozenset((UNAUTHORIZED, FORBIDDEN, NOT_FOUND, QUOTA, SESSION_EXPIRED))
"""Refusals after which nothing more can come of a session, whatever was refused."""
_BACKLOG: Final = "send_backlog"
"""The reason, as a line has it, of an end because too much was waiting to be sent."""


class Owner(Protocol):
    """Whose session it is."""

    def tell(self, session: Session, event: CapturePortEvent) -> None:
        """There are words, or there will be none."""
        ...

    def over(self, session: Session, reason: str) -> None:
        """Nothing more can come of this session."""
        ...


class Session:
    """A connection's line and the segments whose sound it has; all of it is for the I/O thread.

    Segments come one after the other, but the words of earlier ones may be awaited meanwhile.
    """

    def __init__(
        self,
        connection: Connection,
        dial: Dial,
        target: Target,
        *,
        model: str,
        hello: str,
        early: bool,
        owner: Owner,
    ) -> None:
        self.connection, self._hello, self._early, self._owner = connection, hello, early, owner
        self._model = model
        self._outlet, self._ledger = Outlet(), Ledger()
        self._segments: dict[SegmentId, Segment] = {}
        self._growing: Piece | None = None
        self._set_up = False
        self.tired = False
        """Whether it ought to be replaced at the next pause: a commit got no answer, or a refusal."""
        self._line = dial(target, self, decode)

    @property
    def busy(self) -> bool:
        """Whether it hears a segment, or owes words of one."""
        return bool(self._segments)

    # --- what its owner wants

    def begin(self, segment: SegmentId) -> None:
        """A segment begins."""
        self._segments[segment] = Segment(id=segment)

    def append(self, segment: SegmentId, pcm: bytes) -> None:
        """More sound of it, while its final was not asked for."""
        one = self._segments.get(segment)
        if one is None or one.finishing:
            return
        if self._growing is None:
            self._growing = Piece(segment=one)
            one.pieces.append(self._growing)
        self._growing.sound += len(pcm)
        if not self._outlet.sound(pcm):
            self._owner.over(self, _BACKLOG)

    def ask(self, segment: SegmentId, ask: Ask, settled: bool) -> None:
        """A guess commits early if that is wanted; words so far come by themselves."""
        one = self._segments.get(segment)
        if one is None or one.finishing or ask is Ask.PARTIAL:
            return
        if ask is Ask.GUESS:
            one.guessed = self._early and self._commit()
            return
        one.finishing = True
        if (settled and one.guessed) or not self._commit():
            self._clear(one)
        self._settle(one)

    def drop(self, segment: SegmentId) -> None:
        """Nobody waits for this segment; what is still in the buffer of it is cleared."""
        one = self._segments.pop(segment, None)
        if one is None:
            return
        if not one.finishing:
            self._clear(one)
        # An answer that never came may be told from one that comes next by nothing but its absence.
        self.tired = self.tired or (one.finishing and self._ledger.owes(one))
        one.let_go()

    def close(self) -> None:
        """End the line."""
        self._line.close()

    # --- what the line says

    def opened(self) -> None:
        """Everything that was said before goes out now."""
        self._outlet.stands(self._line, self._hello)

    def came(self, frame: News | None) -> None:
        """One frame of the provider's."""
        match frame:
            case None:
                pass
            case SetUp():
                self._set_up = True
            case Committed(item=item):
                self._ledger.committed(item)
            case Cleared():
                self._ledger.cleared()
            case MoreText() | Transcribed() | NotTranscribed():
                self._heard(frame)
            case Refused():
                self._refused(frame)
            case _:
                assert_never(frame)

    def ended(self, ended: Ended) -> None:
        """The line is gone."""
        self._owner.over(self, ended.reason)

    # --- words

    def _heard(self, news: MoreText | Transcribed | NotTranscribed) -> None:
        piece = self._ledger.piece(news.item, self._growing)
        if piece is None or piece.over:
            return
        if isinstance(news, Transcribed):
            self._spent(news, piece)
        match news:
            case MoreText(text=text):
                piece.text += text
            case Transcribed(text=text):
                piece.text, piece.over = text, True
            case NotTranscribed(reason=reason):
                piece.failure, piece.over = reason, True
            case _:
                assert_never(news)
        self._changed(piece)

    def _spent(self, done: Transcribed, piece: Piece) -> None:
        """Where the provider does not say how much it was, it is as much as it was sent."""
        milliseconds = done.audio_ms or piece.sound // BYTES_A_MILLISECOND
        spent = (done.tokens or Tokens()).spent(OPENAI, self._model, audio_ms=milliseconds)
        self._tell(ListenerSpent(connection=self.connection, spent=spent))

    def _refused(self, refused: Refused) -> None:
        empty = refused.reason == EMPTY_COMMIT
        if not empty and (refused.reason in _FATAL or refused.order == HELLO or not self._set_up):
            self._owner.over(self, refused.reason)
            return
        piece = self._ledger.refused(refused.order or (self._ledger.oldest() if empty else None))
        if piece is None:
            logger.debug("the transcriber refused something: {}", refused.reason)
            return
        piece.over = True
        if not empty:
            # The provider may still hold its sound, which would become words of the next one.
            piece.failure, self.tired = refused.reason, True
        self._changed(piece)

    def _changed(self, piece: Piece) -> None:
        segment = piece.segment
        if segment is None:
            return
        if segment.finishing:
            self._settle(segment)
        elif (text := segment.text()) not in ("", segment.told):
            segment.told = text
            self._tell(self._ready(segment, text, final=False))

    def _settle(self, segment: Segment) -> None:
        """Answer for a segment whose final was asked for, as soon as there is an answer."""
        failure = segment.failure()
        if failure is None and not all(piece.over for piece in segment.pieces):
            return
        answer: CapturePortEvent = self._ready(segment, segment.text(), final=True)
        if failure is not None:
            answer = TranscriptFailed(connection=self.connection, segment=segment.id, reason=failure)
        del self._segments[segment.id]
        segment.let_go()
        self._tell(answer)

    def _ready(self, segment: Segment, text: str, *, final: bool) -> TranscriptReady:
        return TranscriptReady(
            connection=self.connection, segment=segment.id, text=text, final=final, speechless=False
        )

    def _tell(self, event: CapturePortEvent) -> None:
        self._owner.tell(self, event)

    # --- the buffer

    def _commit(self) -> bool:
        """Have what has grown since the last commit written down; false if that is too little."""
        piece = self._growing
        if piece is None or self._outlet.uncommitted < LEAST_BYTES:
            return False
        self._growing = None
        self._outlet.commit(self._ledger.order(piece, commits=True))
        return True

    def _clear(self, segment: Segment) -> None:
        """Nobody wants what has grown of this segment since the last commit."""
        piece, self._growing = self._growing, None
        if piece is None:
            return
        segment.pieces.remove(piece)
        piece.segment = None
        if self._outlet.forget():
            self._outlet.clear(self._ledger.order(piece, commits=False))
