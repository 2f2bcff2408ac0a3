"""Recordings of people and of things that are not people."""
