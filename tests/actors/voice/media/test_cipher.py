"""Both modes are what Discord says they are, by somebody else's reckoning too."""

import importlib.util

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st
from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_decrypt

from actors.voice.media.cipher import AES_GCM, XCHACHA, Cipher, Refused, usable_modes
from actors.voice.media.rtp import Packet, parse
from tests.actors.voice.media.packets import KEY, Envelope, Sender

MODES = (AES_GCM, XCHACHA)
HEADER = Envelope().header()


def opened(cipher: Cipher, datagram: bytes) -> bytes | None:
    packet = parse(datagram)
    assert isinstance(packet, Packet)
    return cipher.open(packet, datagram)


@pytest.fixture
def no_nacl(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which PyNaCl is not installed."""

    def find_spec(name: str) -> object:
        return None if name == "nacl" else importlib.util.find_spec(name)

    monkeypatch.setattr("actors.voice.media.cipher.find_spec", find_spec)


@pytest.mark.parametrize("mode", MODES)
@given(frame=st.binary(max_size=300), csrc=st.integers(0, 15), extension=st.none() | st.integers(0, 3))
def test_what_one_side_seals_the_other_opens(
    mode: str, frame: bytes, csrc: int, extension: int | None
) -> None:
    envelope = Envelope(csrc=csrc, extension=extension)
    assert opened(Cipher(mode, KEY), Sender(mode).packet(envelope, frame)) == envelope.plaintext(frame)


def test_aes_gcm_is_that_of_the_library_with_the_counter_in_front_of_the_nonce() -> None:
    cipher = Cipher(AES_GCM, KEY)
    for counter in (0, 1, 2):
        datagram, tail = cipher.seal(HEADER, b"hello"), counter.to_bytes(4, "big")
        assert datagram[:12] == HEADER
        assert datagram[-4:] == tail
        assert AESGCM(KEY).decrypt(tail + bytes(8), datagram[12:-4], HEADER) == b"hello"


def test_xchacha_is_that_of_the_library_with_the_counter_in_front_of_the_nonce() -> None:
    cipher = Cipher(XCHACHA, KEY)
    for counter in (0, 1, 2):
        datagram, tail = cipher.seal(HEADER, b"hello"), counter.to_bytes(4, "big")
        assert datagram[-4:] == tail
        plaintext = crypto_aead_xchacha20poly1305_ietf_decrypt(datagram[12:-4], HEADER, tail + bytes(20), KEY)
        assert plaintext == b"hello"


@pytest.mark.parametrize("mode", MODES)
def test_one_changed_bit_anywhere_closes_a_packet(mode: str) -> None:
    datagram = Sender(mode).packet(Envelope(extension=1), b"hello")
    assert opened(Cipher(mode, KEY), datagram) is not None
    for at in range(2, len(datagram)):
        changed = datagram[:at] + bytes([datagram[at] ^ 1]) + datagram[at + 1 :]
        assert opened(Cipher(mode, KEY), changed) is None


@pytest.mark.parametrize("mode", MODES)
def test_another_key_opens_nothing(mode: str) -> None:
    assert opened(Cipher(mode, bytes(32)), Sender(mode).packet(Envelope(), b"hello")) is None


@pytest.mark.parametrize("mode", MODES)
def test_what_is_sealed_with_one_mode_is_closed_for_the_other(mode: str) -> None:
    (other,) = set(MODES) - {mode}
    assert opened(Cipher(other, KEY), Sender(mode).packet(Envelope(), b"hello")) is None


def test_no_nonce_is_used_twice_with_one_key() -> None:
    cipher = Cipher(AES_GCM, KEY)
    assert len({cipher.seal(HEADER, b"same")[-4:] for _ in range(1000)}) == 1000


def test_a_key_that_is_used_up_seals_nothing_more() -> None:
    """The media process ends with it, and the next one begins the line anew, with another key."""
    cipher = Cipher(AES_GCM, KEY)
    cipher._counter = 2**32 - 1
    assert cipher.seal(HEADER, b"last")[-4:] == b"\xff" * 4
    for _ in range(2):
        with pytest.raises(OverflowError):
            cipher.seal(HEADER, b"one too many")


def test_the_cheaper_mode_comes_first() -> None:
    assert usable_modes() == (AES_GCM, XCHACHA)


@pytest.mark.usefixtures("no_nacl")
def test_without_its_library_xchacha_is_not_asked_for() -> None:
    assert usable_modes() == (AES_GCM,)
    with pytest.raises(Refused, match="xchacha20"):
        Cipher(XCHACHA, KEY)


def test_an_unknown_mode_and_a_short_key_are_refused() -> None:
    with pytest.raises(Refused, match="no mode"):
        Cipher("rot13", KEY)
    with pytest.raises(Refused, match="32 bytes"):
        Cipher(AES_GCM, KEY[1:])
