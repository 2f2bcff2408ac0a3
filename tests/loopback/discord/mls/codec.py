"""The bytes of MLS that a delivery service has to read and write, and not one more.

All integers are big endian. A vector `<V>` is its length in 1, 2 or 4 bytes, told by the two highest bits,
and then that many bytes. What does not parse is `Malformed`, whatever it is.
"""

import hashlib
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.hashes import SHA256

VERSION = 1  # mls10
SUITE = 2  # MLS_128_DHKEMP256_AES128GCM_SHA256_P256
PUBLIC_MESSAGE = 1
BASIC = 1
IN_A_KEY_PACKAGE, BY_UPDATE, BY_COMMIT = 1, 2, 3
BY_MEMBER, BY_EXTERNAL = 1, 2
A_PROPOSAL, A_COMMIT = 2, 3
ADD, REMOVE = 1, 3
BY_REFERENCE = 2


class Malformed(ValueError):
    """These bytes are not what the op that carried them promises."""


def vector(body: bytes) -> bytes:
    """The bytes with their length before them."""
    size = len(body)
    if size < 0x40:
        return bytes([size]) + body
    if size < 0x4000:
        return struct.pack(">H", size | 0x4000) + body
    if size < 0x40000000:
        return struct.pack(">I", size | 0x80000000) + body
    raise Malformed("a vector of 1 GiB")


def u64(number: int) -> bytes:
    return struct.pack(">Q", number)


class Reader:
    """Takes one field after the other from the front of some bytes."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.at = 0

    def take(self, size: int) -> bytes:
        if self.at + size > len(self.body):
            raise Malformed(f"ends {self.at + size - len(self.body)} bytes early")
        self.at += size
        return self.body[self.at - size : self.at]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def expect(self, size: int, value: int, what: str) -> None:
        found = self.number(size)
        if found != value:
            raise Malformed(f"{what} is {found}, not {value}")

    def vector(self) -> bytes:
        first = self.number(1)
        extra = {0: 0, 1: 1, 2: 3}.get(first >> 6)
        if extra is None:
            raise Malformed("a length that begins with 11")
        size = first & 0x3F
        for _ in range(extra):
            size = size << 8 | self.number(1)
        if extra and size < (0x40 if extra == 1 else 0x4000):
            raise Malformed("a length written longer than it needs to be")
        return self.take(size)

    @property
    def empty(self) -> bool:
        return self.at == len(self.body)

    def end(self) -> None:
        if not self.empty:
            raise Malformed(f"{len(self.body) - self.at} bytes too many")


def labelled(label: str, content: bytes) -> bytes:
    """What SignWithLabel signs."""
    return vector(b"MLS 1.0 " + label.encode()) + vector(content)


def reference(label: str, value: bytes) -> bytes:
    """What RefHash makes of a value: 32 bytes."""
    return hashlib.sha256(vector(b"MLS 1.0 " + label.encode()) + vector(value)).digest()


def check(key: bytes, label: str, content: bytes, signature: bytes) -> None:
    try:
        point = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), key)
        point.verify(signature, labelled(label, content), ECDSA(SHA256()))
    except (ValueError, InvalidSignature) as error:
        raise Malformed(f"{label} is not signed by its own key") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPackage:
    """What a client offers to be added with: once, to one group."""

    body: bytes
    identity: bytes
    init_key: bytes
    signature_key: bytes

    @property
    def reference(self) -> bytes:
        return reference("KeyPackage Reference", self.body)


def read_leaf(reader: Reader, source: int) -> tuple[bytes, bytes]:
    """One LeafNode, up to and including its signature: its identity and its signature key."""
    start = reader.at
    reader.vector()  # encryption_key
    key = reader.vector()
    reader.expect(2, BASIC, "the kind of credential")
    identity = reader.vector()
    for _ in range(5):  # capabilities
        reader.vector()
    reader.expect(1, source, "the source of a leaf")
    if source == IN_A_KEY_PACKAGE:
        reader.take(16)  # the lifetime
    elif source == BY_COMMIT:
        reader.vector()  # parent_hash
    reader.vector()  # extensions
    signed = reader.body[start : reader.at]
    signature = reader.vector()
    if source == IN_A_KEY_PACKAGE:  # the others sign group id and leaf index as well
        check(key, "LeafNodeTBS", signed, signature)
    return identity, key


def read_key_package(body: bytes) -> KeyPackage:
    """The body of op 26, its two signatures checked."""
    reader = Reader(body)
    reader.expect(2, VERSION, "the version of a key package")
    reader.expect(2, SUITE, "the cipher suite of a key package")
    init_key = reader.vector()
    identity, key = read_leaf(reader, IN_A_KEY_PACKAGE)
    reader.vector()  # extensions
    signed = body[: reader.at]
    signature = reader.vector()
    reader.end()
    check(key, "KeyPackageTBS", signed, signature)
    return KeyPackage(body=body, identity=identity, init_key=init_key, signature_key=key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome:
    """The secrets for those whom a commit adds, each under the reference of its key package."""

    secrets: tuple[tuple[bytes, bytes], ...]  # reference, kem_output<V> ciphertext<V>
    group_info: bytes

    def only(self, package: KeyPackage) -> bytes:
        """A welcome with one addressee."""
        mine = [vector(name) + secret for name, secret in self.secrets if name == package.reference]
        return write_welcome(mine, self.group_info)


def write_welcome(secrets: Iterable[bytes], group_info: bytes) -> bytes:
    return struct.pack(">H", SUITE) + vector(b"".join(secrets)) + vector(group_info)


def read_welcome(body: bytes) -> Welcome:
    reader = Reader(body)
    reader.expect(2, SUITE, "the cipher suite of a welcome")
    inner = Reader(reader.vector())
    secrets: list[tuple[bytes, bytes]] = []
    while not inner.empty:
        name = inner.vector()
        start = inner.at
        inner.vector()
        inner.vector()
        secrets.append((name, inner.body[start : inner.at]))
    group_info = reader.vector()
    reader.end()
    return Welcome(secrets=tuple(secrets), group_info=group_info)


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A member's commit, and the welcome that came with it."""

    message: bytes
    group: bytes
    epoch: int
    leaf: int
    references: tuple[bytes, ...]
    welcome: Welcome | None


def read_references(body: bytes) -> tuple[bytes, ...]:
    reader = Reader(body)
    found: list[bytes] = []
    while not reader.empty:
        reader.expect(1, BY_REFERENCE, "a proposal inside a commit")
        found.append(reader.vector())
    return tuple(found)


def read_commit(body: bytes) -> Commit:
    """The body of op 28: the commit is cut off where it ends, the rest is the welcome."""
    reader = Reader(body)
    reader.expect(2, VERSION, "the version of a message")
    reader.expect(2, PUBLIC_MESSAGE, "the wire format of a commit")
    group = reader.vector()
    epoch = reader.number(8)
    reader.expect(1, BY_MEMBER, "the sender of a commit")
    leaf = reader.number(4)
    reader.vector()  # authenticated_data
    reader.expect(1, A_COMMIT, "the content of a commit")
    references = read_references(reader.vector())
    if reader.number(1):
        read_leaf(reader, BY_COMMIT)
        reader.vector()  # the nodes of the path
    for _ in range(3):  # signature, confirmation_tag, membership_tag
        reader.vector()
    rest = body[reader.at :]
    return Commit(
        message=body[: reader.at],
        group=group,
        epoch=epoch,
        leaf=leaf,
        references=references,
        welcome=read_welcome(rest) if rest else None,
    )
