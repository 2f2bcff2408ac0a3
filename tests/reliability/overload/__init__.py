"""More than he can do: how he goes on, what he drops first, and that he comes back by himself."""
