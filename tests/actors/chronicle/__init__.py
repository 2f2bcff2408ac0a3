"""Tests, in the order of the house."""
