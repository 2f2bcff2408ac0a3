"""Tests of the room actors/playback."""
