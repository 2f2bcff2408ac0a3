"""Servers of ours on 127.0.0.1 that the real client libraries talk to."""
