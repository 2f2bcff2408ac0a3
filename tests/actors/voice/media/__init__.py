"""Tests of the media process, which knows no actor."""
