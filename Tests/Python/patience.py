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


def failing(failures):
    """An action that fails so, and as the last time again and again; None is a success."""
    left = list(failures)

    def action():
        failure = left.pop(0) if len(left) > 1 else left[0]
        if failure:
            raise failure

    return action


def outcome(failures, of_calls=None):
    """What is raised after these failures of resuming, and of two calls that are open meanwhile."""
    clock = Clock()
    muster_client.session.time = clock
    session = object.__new__(Session)
    session.rest, session.resume, session.matches = clock.rest, failing(failures), {}
    session.open = {1: "a call", 2: "another"} if of_calls else {}
    again = failing(of_calls or [None])
    session.again = lambda counter: again()
    try:
        session.resume_patiently(5)
    except (Lost, Refused) as error:
        return error


def main():
    full, lost = refused("storageFull"), Lost("gone")
    assert outcome([lost, full]) is full and full.__cause__ is None
    assert outcome([lost]) is lost and lost.__cause__ is None
    assert outcome([refused("backpressure"), full, lost]) is lost
    assert lost.__cause__ is full, "the last refusal tells more than the lost connection"
    assert outcome([None], of_calls=[lost, full]) is full and full.__cause__ is None
    assert outcome([None, lost], of_calls=[full, lost]) is lost
    assert lost.__cause__ is full, "the call was refused before the connection was lost"
    assert outcome([None, lost], of_calls=[full, None, lost]) is lost
    assert lost.__cause__ is None, "the refused call was answered"
    print("it is told")


main()
