"""The cable room: one asyncio thread that owns every socket of the main process."""
