"""Text in, sound out, a sentence at a time."""
