"""The media process passes on what it heard, once and in order, and answers for all that it dropped."""

from __future__ import annotations

import asyncio

from actors.voice.live.cradle import begin
from actors.voice.media import ipc, mail
from actors.voice.media.pipe import Pipe, socket_pair
from actors.voice.media.process import MediaProcess
from actors.voice.media.web import Network
from actors.voice.settings import VoiceSettings
from messages.audio import FRAME_BYTES
from tests.actors.voice.media.hearing import Keys

MORE_THAN_FITS = 4_000
A_LOOK = 8
"""Frames that one look at the socket may bring."""


def heard(user: int = 1) -> mail.Heard:
    return mail.Heard(user=user, pcm=bytes(FRAME_BYTES), at=0.0, timestamp=0, concealed=False)


class Scene:
    """A media process on this loop, and the house's end of its pipe."""

    def __init__(self) -> None:
        near, self._far = socket_pair()
        self.house = Pipe(near, lambda: None)
        self.process = MediaProcess(
            self._far,
            begin(VoiceSettings(), ca_file=None, proxy=None, opus_library=None),
            network=Network(tls=None, proxy=None, webs=set()),  # type: ignore[arg-type]
            make_group=lambda _call: Keys(),
            ended=lambda _polite: None,
        )

    def hears(self, *users: int) -> None:
        self.process._heard.extend(map(heard, users))

    def told(self) -> list[mail.Letter]:
        return [ipc.decode(message) for message in self.house.receive()]

    def close(self) -> None:
        self.house.close()
        asyncio.get_running_loop().remove_reader(self._far.fileno())
        self._far.close()


def test_sound_that_did_not_fit_into_the_pipe_is_told_frame_by_frame_when_it_is_read_again() -> None:
    async def scene() -> tuple[list[str], int]:
        story = Scene()
        for _ in range(MORE_THAN_FITS // A_LOOK):
            story.hears(*range(A_LOOK))
            story.process._listened()
        notes: list[str] = []
        frames = 0
        story.house.send(ipc.encode(mail.Shut(connection=1)), sound=False)
        async with asyncio.timeout(5.0):
            while True:
                letters = story.told()
                notes += [letter.text for letter in letters if isinstance(letter, mail.Note)]
                frames += sum(len(letter.frames) for letter in letters if isinstance(letter, mail.Voices))
                if any(isinstance(letter, mail.IsShut) for letter in letters):
                    story.close()
                    return notes, frames
                await asyncio.sleep(0)

    (note,), frames = asyncio.run(scene())
    assert note.endswith(f" {MORE_THAN_FITS - frames} pipe_full")


def test_what_one_look_brought_is_one_letter_and_is_told_once() -> None:
    async def scene() -> None:
        story = Scene()
        story.hears(1, 2)
        story.process._listened()
        story.process._listened()
        assert story.told() == [mail.Voices(frames=(heard(1), heard(2)))]
        story.hears(*range(ipc.MOST_FRAMES + 1))
        story.process._listened()
        letters = [letter for letter in story.told() if isinstance(letter, mail.Voices)]
        assert [len(letter.frames) for letter in letters] == [ipc.MOST_FRAMES, 1]
        story.close()

    asyncio.run(scene())


def test_news_do_not_overtake_what_was_heard_before_them() -> None:
    async def scene() -> None:
        story = Scene()
        story.hears(1)
        story.process.tell(mail.Note(text="and then"))
        assert story.told() == [mail.Voices(frames=(heard(1),)), mail.Note(text="and then")]
        story.close()

    asyncio.run(scene())
