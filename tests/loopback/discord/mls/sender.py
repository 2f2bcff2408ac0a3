"""The voice server's own voice in every group: it may propose, and never decide.

One `ExternalSender` may serve any number of channels; its key lives as long as it does.
"""

import struct
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.loopback.discord.mls.codec import (
    A_PROPOSAL,
    ADD,
    BASIC,
    BY_EXTERNAL,
    PUBLIC_MESSAGE,
    REMOVE,
    VERSION,
    KeyPackage,
    labelled,
    reference,
    u64,
    vector,
)

IDENTITY = bytes([0, 1, 1, 0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A signed proposal: the message that op 27 carries, and the name under which a commit takes it up."""

    message: bytes
    reference: bytes


class ExternalSender:
    """Signs Adds and Removes; its public half is what op 25 tells everybody."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())

    def package(self) -> bytes:
        """The body of op 25: 74 bytes."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return vector(point) + struct.pack(">H", BASIC) + vector(IDENTITY)

    def add(self, group: bytes, epoch: int, package: KeyPackage) -> Proposal:
        return self._propose(group, epoch, struct.pack(">H", ADD) + package.body)

    def remove(self, group: bytes, epoch: int, leaf: int) -> Proposal:
        return self._propose(group, epoch, struct.pack(">HI", REMOVE, leaf))

    def _propose(self, group: bytes, epoch: int, proposal: bytes) -> Proposal:
        place = struct.pack(">BI", BY_EXTERNAL, 0) + vector(b"") + bytes([A_PROPOSAL])
        framed = struct.pack(">H", PUBLIC_MESSAGE) + vector(group) + u64(epoch) + place + proposal
        version = struct.pack(">H", VERSION)
        to_sign = labelled("FramedContentTBS", version + framed)
        signed = framed + vector(self._key.sign(to_sign, ec.ECDSA(SHA256())))
        return Proposal(message=version + signed, reference=reference("Proposal Reference", signed))


def append(proposals: list[Proposal]) -> bytes:
    """The body of an op 27 that proposes."""
    return b"\0" + vector(b"".join(proposal.message for proposal in proposals))


def revoke(references: list[bytes]) -> bytes:
    """The body of an op 27 that takes proposals back."""
    return b"\1" + vector(b"".join(vector(name) for name in references))
