"""The voice link to Discord: the house's side of a media process that does the speaking and hearing."""

from actors.voice.live.link import LiveVoiceLink

__all__ = ["LiveVoiceLink"]
