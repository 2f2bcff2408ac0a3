"""OpenAI on loopback: its sockets, its addresses, and every trouble with them that a test orders."""
