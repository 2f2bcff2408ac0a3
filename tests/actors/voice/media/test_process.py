"""The media process answers for everything that it dropped."""

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

HEARD = mail.Heard(user=1, pcm=bytes(FRAME_BYTES), at=0.0, timestamp=0, concealed=False)
MORE_THAN_FITS = 4_000


def test_sound_that_did_not_fit_into_the_pipe_is_told_when_it_is_read_again() -> None:
    async def scene() -> list[str]:
        near, far = socket_pair()
        house = Pipe(near, lambda: None)
        process = MediaProcess(
            far,
            begin(VoiceSettings(), ca_file=None, proxy=None, opus_library=None),
            network=Network(tls=None, proxy=None, webs=set()),  # type: ignore[arg-type]
            make_group=lambda _call: Keys(),
            ended=lambda _polite: None,
        )
        for _ in range(MORE_THAN_FITS):
            process._heard.append(HEARD)
            process._listened()
        notes: list[str] = []
        house.send(ipc.encode(mail.Shut(connection=1)), sound=False)
        async with asyncio.timeout(5.0):
            while True:
                letters = [ipc.decode(message) for message in house.receive()]
                notes += [letter.text for letter in letters if isinstance(letter, mail.Note)]
                if any(isinstance(letter, mail.IsShut) for letter in letters):
                    house.close()
                    asyncio.get_running_loop().remove_reader(far.fileno())
                    far.close()
                    return notes
                await asyncio.sleep(0)

    (note,) = asyncio.run(scene())
    assert note.endswith("pipe_full")
