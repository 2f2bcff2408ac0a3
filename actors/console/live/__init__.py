"""The window over real sockets: everything that knows aiohttp, and nothing that decides."""
