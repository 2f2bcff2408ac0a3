"""The group of people with keys, kept by davey: what goes out is sealed, what comes in must have been."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import davey

from actors.voice.media.group import SILENCE, DaveTrouble

NOT_READY: Final = "NotReady"
PLAIN_REFUSED: Final = "UnencryptedWhenPassthroughDisabled"

_OUTER: Final = r"(?:(?:DecryptionFailed|(?:MessageProcessing|ProcessingMessage)Failed|ValidationError)\()*"
_KIND: Final = re.compile(r"Failed to [a-z ]+: " + _OUTER + r"([A-Z][A-Za-z]{1,60})")
_AUDIO: Final = davey.MediaType.audio
_MARKER: Final = b"\xfa\xfa"
_LEAST_TRAILER: Final = 12
"""Bytes: tag, nonce, size and marker."""


class DaveGroup:
    """A Group for one user on one channel; it belongs to one thread and has no clock of its own."""

    def __init__(self, *, user: int, channel: int) -> None:
        self._user = user
        self._channel = channel
        self._version = 0
        self._session: davey.DaveSession | None = None
        self._sender: bytes | None = None
        self._plain = False

    @property
    def version(self) -> int:
        """The protocol version agreed on; 0 is a call without end-to-end encryption."""
        return self._version

    @property
    def ready(self) -> bool:
        """Whether `seal` takes frames."""
        return self._version == 0 or self._has_keys()

    @property
    def epoch(self) -> int | None:
        """How often the group has changed; None while there is none."""
        return self._begun().epoch if self._version and self._has_keys() else None

    @property
    def privacy_code(self) -> str:
        """30 digits, the same for everybody in the group; empty while there is none."""
        code = self._begun().voice_privacy_code if self._version and self._has_keys() else None
        return code or ""

    @property
    def members(self) -> frozenset[int]:
        """Everybody who has keys."""
        has_keys = self._version and self._has_keys()
        return frozenset(map(int, self._begun().get_user_ids())) if has_keys else frozenset()

    def agree(self, version: int) -> None:
        """Takes a version at once. The keys of a group that was left for version 0 never seal again."""
        if version and self._version == 0:
            self._session = None
        self._version = version

    def begin(self) -> bytes:
        """A new group at the agreed version; who may propose changes is kept. The key package."""
        with _trouble():
            self._session = davey.DaveSession(self._version, self._user, self._channel)
            if self._sender is not None:
                self._session.set_external_sender(self._sender)
            return self._session.get_serialized_key_package()

    def external_sender(self, body: bytes) -> None:
        """Op 25, also before a group begins."""
        self._sender = body
        if self._session is not None:
            with _trouble():
                self._session.set_external_sender(body)

    def proposals(self, append: bool, body: bytes, known: frozenset[int]) -> bytes | None:
        """Op 27: a commit, with the welcome behind it if somebody is added."""
        kinds = davey.ProposalsOperationType
        kind = kinds.append if append else kinds.revoke
        with _trouble():
            result = self._begun().process_proposals(kind, body, sorted(known))
        return None if result is None else result.commit + (result.welcome or b"")

    def commit(self, body: bytes) -> None:
        """Op 29."""
        with _trouble():
            self._begun().process_commit(body)

    def welcome(self, body: bytes) -> None:
        """Op 30."""
        with _trouble():
            self._begun().process_welcome(body)

    def allow_plain(self, allowed: bool) -> None:
        """Whether plain frames may come in at a version above 0."""
        self._plain = allowed

    def seal(self, frame: bytes) -> bytes:
        """One Opus frame for the wire; silence is nobody's secret."""
        if self._version == 0 or frame == SILENCE:
            return frame
        with _trouble():
            return self._begun().encrypt_opus(frame)

    def open(self, user: int, frame: bytes) -> bytes:
        """One frame of a user as Opus. Late sealed frames of a group that was downgraded still open."""
        if frame == SILENCE:
            return frame
        if not is_sealed(frame):
            if self._version == 0 or self._plain:
                return frame
            raise DaveTrouble(PLAIN_REFUSED)
        try:
            return self._begun().decrypt(user, _AUDIO, frame)
        except DaveTrouble:
            raise
        except BaseException as error:
            raise _told(error) from None

    def _begun(self) -> davey.DaveSession:
        if self._session is None:
            raise DaveTrouble(NOT_READY)
        return self._session

    def _has_keys(self) -> bool:
        return self._session is not None and self._session.ready


def is_sealed(frame: bytes) -> bool:
    """Whether a frame ends as an encrypted one does: `size u8 | fa fa`, where the size fits."""
    return (
        frame[-2:] == _MARKER and len(frame) >= _LEAST_TRAILER and len(frame) >= frame[-3] >= _LEAST_TRAILER
    )


@contextmanager
def _trouble() -> Generator[None]:
    """Whatever davey raises, a panic of its Rust included, is trouble with a bounded code."""
    try:
        yield
    except DaveTrouble:
        raise
    except BaseException as error:
        raise _told(error) from None


def _told(error: BaseException) -> BaseException:
    """The trouble that this is, or the error itself if it is none of davey's."""
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        return error
    return DaveTrouble(_kind(error))


def _kind(error: BaseException) -> str:
    """The vendor's own name for it, or what kind of error it is; never its text, which may hold anything."""
    found = _KIND.match(str(error))
    return found[1] if found else type(error).__name__
