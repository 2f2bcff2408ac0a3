"""Tests of what the messages themselves know."""
