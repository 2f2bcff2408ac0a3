"""Every promise the house makes, kept by a test that reads as a sentence."""
