"""Tests of the room actors/tts."""
