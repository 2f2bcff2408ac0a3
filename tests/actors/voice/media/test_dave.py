"""davey behind the group: bounded troubles, and never a plain frame where a sealed one is due."""

import functools
from collections.abc import Callable

import davey
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from actors.voice.media.dave import DaveGroup, is_sealed
from actors.voice.media.group import SILENCE, DaveTrouble, Group
from tests.actors.voice.media.call import SPEECH, Call
from tests.actors.voice.media.line import ADA, BEA, CHANNEL
from tests.loopback.discord.mls.sender import ExternalSender

NOBODY = frozenset({ADA})


def begun() -> DaveGroup:
    group = DaveGroup(user=ADA, channel=CHANNEL)
    group.external_sender(ExternalSender().package())
    group.agree(1)
    group.begin()
    return group


def pair() -> tuple[DaveGroup, DaveGroup]:
    call = Call()
    call.join(ADA, BEA)
    return call.seats[ADA].group, call.seats[BEA].group


def trouble(group: Group, frame: bytes, user: int = BEA) -> str:
    with pytest.raises(DaveTrouble) as raised:
        group.open(user, frame)
    return raised.value.kind


def test_a_call_without_dave_is_plain() -> None:
    group = DaveGroup(user=ADA, channel=CHANNEL)
    assert (group.version, group.ready, group.epoch, group.privacy_code) == (0, True, None, "")
    assert group.members == frozenset()
    assert group.seal(SPEECH) == SPEECH
    assert group.open(BEA, SPEECH) == SPEECH


def test_a_sealed_frame_without_keys_is_no_sound() -> None:
    sealed = pair()[0].seal(SPEECH)
    assert trouble(DaveGroup(user=ADA, channel=CHANNEL), sealed) == "NotReady"
    assert trouble(begun(), sealed) == "NoDecryptorForUser"


def test_from_the_moment_a_version_is_agreed_on_no_plain_frame_goes_out() -> None:
    group = DaveGroup(user=ADA, channel=CHANNEL)
    group.agree(1)
    for step in range(3):
        if step == 1:
            group.begin()
        elif step == 2:
            group.external_sender(ExternalSender().package())
        assert not group.ready
        with pytest.raises(DaveTrouble, match="NotReady"):
            group.seal(SPEECH)
        assert group.seal(SILENCE) == SILENCE


def test_a_plain_frame_is_refused_unless_it_is_the_moment_for_it() -> None:
    for group in (begun(), pair()[0]):
        assert trouble(group, SPEECH) == "UnencryptedWhenPassthroughDisabled"
        assert group.open(BEA, SILENCE) == SILENCE
        group.allow_plain(True)
        assert group.open(BEA, SPEECH) == SPEECH
        group.allow_plain(False)
        assert trouble(group, SPEECH) == "UnencryptedWhenPassthroughDisabled"


def test_what_is_sealed_opens_once_for_the_right_sender() -> None:
    ada, bea = pair()
    assert ada.members == bea.members == frozenset({ADA, BEA})
    sealed = ada.seal(SPEECH)
    assert is_sealed(sealed)
    assert trouble(bea, sealed, user=99) == "NoDecryptorForUser"
    assert trouble(bea, sealed[:4] + bytes([sealed[4] ^ 1]) + sealed[5:], user=ADA) == "NoValidCryptorFound"
    assert bea.open(ADA, sealed) == SPEECH
    assert trouble(bea, sealed, user=ADA) == "NoValidCryptorFound"


def test_a_group_that_was_left_for_plain_frames_never_seals_again() -> None:
    ada, bea = pair()
    late = ada.seal(SPEECH)
    for group in (ada, bea):
        group.agree(0)
        assert (group.ready, group.epoch, group.privacy_code) == (True, None, "")
    assert bea.open(ADA, late) == SPEECH
    bea.agree(1)
    assert not bea.ready
    with pytest.raises(DaveTrouble, match="NotReady"):
        bea.seal(SPEECH)


def test_beginning_anew_forgets_the_keys() -> None:
    ada, bea = pair()
    late = ada.seal(SPEECH)
    assert bea.begin() != bea.begin()
    assert not bea.ready
    assert trouble(bea, late, user=ADA) == "NoDecryptorForUser"


LETTERS: dict[str, Callable[[DaveGroup, bytes], object]] = {
    "sender": lambda group, body: group.external_sender(body),
    "append": lambda group, body: group.proposals(True, body, NOBODY),
    "revoke": lambda group, body: group.proposals(False, body, NOBODY),
    "commit": lambda group, body: group.commit(body),
    "welcome": lambda group, body: group.welcome(body),
}


@pytest.mark.parametrize("letter", ["append", "revoke", "commit", "welcome"])
def test_letters_before_anything_began_are_trouble(letter: str) -> None:
    with pytest.raises(DaveTrouble, match="NotReady"):
        LETTERS[letter](DaveGroup(user=ADA, channel=CHANNEL), b"x")


@pytest.mark.parametrize(
    ("letter", "kind"),
    [
        ("sender", "DeserializeExternalSender"),
        ("append", "DeserializeMessageFailed"),
        ("revoke", "DeserializeProposalRefFailed"),
        ("commit", "PendingGroup"),
        ("welcome", "DeserializeWelcomeFailed"),
    ],
)
def test_an_odd_letter_is_trouble_with_a_bounded_name(letter: str, kind: str) -> None:
    with pytest.raises(DaveTrouble) as raised:
        LETTERS[letter](begun(), b"\x21" + b"a" * 33)
    assert raised.value.kind == kind
    assert str(raised.value) == kind
    assert raised.value.__suppress_context__


def test_a_version_that_davey_does_not_speak_is_trouble() -> None:
    group = DaveGroup(user=ADA, channel=CHANNEL)
    group.agree(2)
    with pytest.raises(DaveTrouble, match="UnsupportedProtocolVersion"):
        group.begin()


def test_the_external_sender_of_an_active_group_stays() -> None:
    ada, _ = pair()
    with pytest.raises(DaveTrouble, match="AlreadyInGroup"):
        ada.external_sender(ExternalSender().package())
    assert ada.ready


class PanicException(BaseException):
    """What a panic of Rust looks like from here."""


@pytest.mark.parametrize("error", [PanicException("index out of bounds: secret"), TypeError("secret")])
def test_even_a_panic_is_only_trouble(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    group = begun()
    monkeypatch.setattr(davey, "DaveSession", lambda *_: _raise(error))
    with pytest.raises(DaveTrouble) as raised:
        group.begin()
    assert raised.value.kind == type(error).__name__


def test_an_interruption_is_no_trouble_of_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(davey, "DaveSession", lambda *_: _raise(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        begun()


def _raise(error: BaseException) -> None:
    raise error


@functools.cache
def pair_that_stays() -> tuple[DaveGroup, DaveGroup]:
    return pair()


def kind_of(call: Callable[[], object]) -> str | None:
    """The trouble that it makes, if any; anything else is a failure."""
    try:
        call()
    except DaveTrouble as caught:
        return caught.kind
    return None


@settings(deadline=None, max_examples=40)
@given(st.binary(max_size=80), st.sampled_from([b"", b"\x0c\xfa\xfa", b"\x14\xfa\xfa"]), st.integers(0, 20))
def test_no_frame_of_a_stranger_is_sound(start: bytes, end: bytes, user: int) -> None:
    assume(start + end != SILENCE)
    for group in (begun(), *pair_that_stays()):
        kind = kind_of(lambda: group.open(user, start + end))  # noqa: B023
        assert kind is not None
        assert kind.isidentifier()


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(sorted(LETTERS)), st.binary(max_size=200))
def test_no_letter_raises_anything_but_trouble(letter: str, body: bytes) -> None:
    group = begun()
    assert (kind_of(lambda: LETTERS[letter](group, body)) or "none").isidentifier()


@pytest.mark.parametrize(
    "frame", [b"", b"\xfa\xfa", b"x" * 11 + b"\x0f\xfa\xfa", b"x" * 20 + b"\x0b\xfa\xfa"]
)
def test_a_trailer_that_cannot_be_is_none(frame: bytes) -> None:
    assert not is_sealed(frame)
