"""All that one actor may say to another, and nothing that can do anything about it."""
