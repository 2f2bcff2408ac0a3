"""The captain takes his time, so that the conversation need not."""
