"""Tests of sound, with real models and real speech."""
