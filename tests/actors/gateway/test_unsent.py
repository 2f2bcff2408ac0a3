"""What he writes while Discord is away is written when it is back, in its order, unless it has grown old."""

import pytest

from actors.gateway.live.unsent import KEPT_SECONDS, MOST_KEPT, Post, Unsent
from messages.attachment import Attachment
from messages.ids import MessageId, RoomId
from tests.actors.gateway.living import AUDIOOP, SECONDS, living, room_of

DEN = RoomId("1")


class Pen:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def post(
        self, room: RoomId, text: str, reply_to: MessageId | None, attachments: tuple[Attachment, ...] = ()
    ) -> None:
        assert (room, reply_to, attachments) == (DEN, None, ())
        self.written.append(text)


def handed_over(*texts: str, after: float) -> tuple[list[str], int]:
    pen, unsent = Pen(), Unsent()
    for text in texts:
        unsent.keep(Post(room=DEN, text=text, reply_to=None, attachments=()), 100.0)
    unsent.hand_over(pen, 100.0 + after)
    first = list(pen.written)
    unsent.hand_over(pen, 100.0 + after)
    assert pen.written == first
    return pen.written, unsent.dropped


def test_what_waits_is_handed_over_once_and_in_order() -> None:
    assert handed_over("one", "two", after=KEPT_SECONDS) == (["one", "two"], 0)


def test_what_is_old_by_then_is_dropped_and_counted() -> None:
    assert handed_over("one", "two", after=KEPT_SECONDS + 0.1) == ([], 2)


def test_of_too_much_the_oldest_is_dropped_and_counted() -> None:
    texts = [str(number) for number in range(MOST_KEPT + 2)]
    assert handed_over(*texts, after=1.0) == (texts[2:], 2)


@pytest.mark.filterwarnings(AUDIOOP)
def test_what_is_written_before_the_account_is_online_is_written_as_soon_as_it_is() -> None:
    with living() as life:
        chat = life.discord.guild("Home").text("chat")
        life.account.open(life.told.tell)
        life.account.post(room_of(chat), "I had something to say", None)
        life.discord.wait(lambda: life.discord.posts, SECONDS)
        assert [post.content for post in life.discord.posts] == ["I had something to say"]
