"""The voice half of the loopback Discord: voice gateway v8, a forwarding unit for sound, and people."""
