"""A client of Muster in Python's standard library, written from protocol.md and protocol.json."""
from .codec import Malformed, Protocol
from .connection import Connection, Lost
from .session import Ended, Refused, Session

__all__ = ["Connection", "Ended", "Lost", "Malformed", "Protocol", "Refused", "Session"]
