"""Tests of the room actors/voice."""
