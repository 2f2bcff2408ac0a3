"""A loopback Discord full of people who talk, in a process of its own, and our links to it in this one."""

from tests.benchmarks.crowd.letters import Counts
from tests.benchmarks.crowd.links import Crowd, CrowdedLink

__all__ = ["Counts", "Crowd", "CrowdedLink"]
