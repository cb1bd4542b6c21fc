#!/usr/bin/env python3
"""What a client is told when it has tried until its time was up. No server is asked."""
import muster_client.session
from muster_client.connection import Lost
from muster_client.session import Refused, Session


class Clock:
    """Stands still but for the pauses."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now

    def rest(self, seconds):
        self.now += seconds


def refused(code):
    failure = {"argument": "", "text": "It passes.", "retryAfterMilliseconds": 0}
    return Refused(code, failure, "repeatCall")


def outcome(failures):
    """What is raised after these failures, of which the last one comes again and again."""
    clock = Clock()
    muster_client.session.time = clock
    session = object.__new__(Session)
    session.rest = clock.rest
    left = list(failures)

    def action():
        raise left.pop(0) if len(left) > 1 else left[0]

    try:
        session.patiently(5, (Lost,), action)
    except (Lost, Refused) as error:
        return error


def main():
    full, lost = refused("storageFull"), Lost("gone")
    assert outcome([lost, full]) is full and full.__cause__ is None
    assert outcome([lost]) is lost and lost.__cause__ is None
    assert outcome([refused("backpressure"), full, lost]) is lost
    assert lost.__cause__ is full, "the last refusal tells more than the lost connection"
    print("it is told")


main()
