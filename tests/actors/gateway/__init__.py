"""Tests of the room actors/gateway."""
