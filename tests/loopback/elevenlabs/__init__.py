"""An ElevenLabs of ours on 127.0.0.1; `server` is where a test begins."""
