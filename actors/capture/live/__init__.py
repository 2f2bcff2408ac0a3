"""The listener whose words are written down elsewhere, by OpenAI's transcription sessions."""
