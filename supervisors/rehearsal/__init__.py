"""A rehearsal puts the whole house before a scripted room, in real time, and judges what came of it."""
