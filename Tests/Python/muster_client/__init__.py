"""A client of Muster in Python's standard library, written from protocol.md and protocol.json."""
from .codec import Malformed, Protocol
from .connection import Connection, Lost
from .session import Refused, Session

__all__ = ["Connection", "Lost", "Malformed", "Protocol", "Refused", "Session"]
