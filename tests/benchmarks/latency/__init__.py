"""What the room waits for, measured on the whole product, between a Discord and providers of this machine."""
