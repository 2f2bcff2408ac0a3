"""Voices that live elsewhere: the words go out, the sound comes back."""
