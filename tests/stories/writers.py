"""A town in which people write as well, and take back what they wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from actors.gateway.owed import EARLIER_LIFE
from actors.gateway.port import GatewayPort
from actors.gateway.settings import TextSettings
from actors.realtime.script import Script, ScriptedReply
from actors.voice.port import VoicePort
from messages.evidence import TextIngress, TextReply
from messages.gateway import MessageSeen
from messages.ids import GuildId, MessageId, RoomId
from supervisors.settings import Settings
from tests.stories.pages import Pages
from tests.stories.town import HOME, Town

CHAT = RoomId("14")


class Writers(Town):
    """A town in which people write as well; use like a Town."""

    def __init__(
        self,
        seed: int,
        *,
        text: TextSettings | None = None,
        replies: Sequence[ScriptedReply] = (),
        pages: Pages | None = None,
        **people: RoomId,
    ) -> None:
        self.text, self.written, self._pages = text or TextSettings(), 0, pages
        super().__init__(seed, replies=replies, **people)

    def open(
        self,
        script: Script,
        settings: Settings,
        gateway: Callable[[], GatewayPort],
        voice: Callable[[], VoicePort],
    ) -> None:
        self.pages = self._pages or self.pages
        super().open(script, settings.model_copy(update={"text": self.text}), gateway, voice)

    def writes(
        self, name: str, text: str, room: RoomId = CHAT, guild: GuildId | None = HOME, mention: bool = False
    ) -> MessageSeen:
        """Somebody writes; return what the account saw of it."""
        self.written += 1
        seen = MessageSeen(
            message=MessageId(f"m{self.written}"),
            room=room,
            guild=guild,
            person=self.person(name),
            text=text,
            mentions_him=mention,
        )
        self.account.tell(seen)
        return seen

    def ingress(self) -> list[str]:
        """What became of each message, in order."""
        return [f"{one.outcome} {one.reason}" for one in self.receipts(TextIngress)]

    def check_replies(self) -> None:
        """Each admitted message has one reply, but for what an earlier life had read and given up."""
        own = [one for one in self.receipts(TextReply) if one.reason != EARLIER_LIFE]
        replies = Counter(one.message_id for one in own)
        assert replies == Counter(one.message_id for one in self.receipts(TextIngress, outcome="admitted"))
