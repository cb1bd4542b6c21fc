#!/usr/bin/env python3
"""Plays from sign-up to the end of a match over TLS, and checks every step.

    play.py --schema protocol.json --gateway HOST:PORT --authority FILE --game GAME
            [--idle-seconds N]

With --idle-seconds, for which the gateway keeps a silent connection, it only waits: the gateway
must close one, and keep another that pings.
"""
import argparse
import math
import struct
import time

from muster_client import Lost, Protocol, Refused, Session


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def refusal(session, operation, **values):
    try:
        session.call(operation, **values)
    except Refused as error:
        return error
    raise AssertionError(f"{operation} was not refused")


def befriend(one, other):
    one.call("InviteFriend", player=other.player)
    other.wait_for_event("FriendInvitation")
    other.call("AnswerFriend", player=one.player, accept=True)
    one.wait_for_event("FriendAccepted")


class Side:
    """One client of a match: what it has sent and nobody has acknowledged, and what it has got.

    Each sends differences of a number in 8 bytes; in the end both have the same number.
    """

    def __init__(self, session, seat, context):
        self.session, self.seat, self.context = session, seat, context
        self.value = self.number = self.incarnation = self.sent = self.received = 0
        self.place = self.roster = 0
        self.open = {}

    def join(self, other):
        received = []
        if self.number:
            received = [
                {"player": other.session.player, "seat": other.seat, "through": self.received}]
        joined = self.session.call(
            "JoinMatch", context=self.context, seat=self.seat, number=self.number,
            received=received)
        self.number, self.incarnation = joined["number"], joined["incarnation"]
        self.place, self.roster = joined["place"], joined["roster"]
        return joined["expectedPlayerCount"]

    def hear_of(self, player, state):
        """The numbers of data are for the clients that the sender has heard of."""
        self.roster = wait_for_state(self.session, player.session, state)["roster"]

    def send(self, other, difference):
        self.value += difference
        self.sent += 1
        self.open[self.sent] = struct.pack(">q", difference)
        self.pass_on(other, self.sent)

    def pass_on(self, other, sequence):
        self.session.call(
            "SendMatchData", context=self.context, incarnation=self.incarnation, seat=self.seat,
            roster=self.roster, receivers=1 << other.place, isReliable=True, sequence=sequence,
            payload=self.open[sequence])

    def receive(self, other):
        """Takes the next data in order. What comes twice is only acknowledged again."""
        is_new = False
        while not is_new:
            data = self.session.wait_for_event("MatchData")
            expect(data["place"] == other.place and data["isReliable"], f"{data}")
            expect(data["seat"] == other.seat and data["exceptions"] == [], f"{data}")
            expect(data["sequence"] <= self.received + 1, f"{data} after {self.received}")
            is_new = data["sequence"] == self.received + 1
            if is_new:
                self.received += 1
                self.value += struct.unpack(">q", data["payload"])[0]
            self.session.call(
                "AcknowledgeMatchData", context=self.context, incarnation=self.incarnation,
                seat=self.seat, receipts=[
                    {"place": other.place, "seat": other.seat, "through": self.received}])

    def wait_until_all_is_acknowledged(self):
        while self.open:
            for receipt in self.session.wait_for_event("MatchDataAcknowledged")["receipts"]:
                through = receipt["through"]
                self.open = {each: data for each, data in self.open.items() if each > through}


def play_match(ada, ben, context):
    one, other = Side(ada, 11, context), Side(ben, 22, context)
    expect(one.join(other) == 1, "the match begins with one player")
    expect(other.join(one) == 0, "the match does not begin")
    one.hear_of(other, "connected")
    for count in range(1, 11):
        one.send(other, count)
        other.receive(one)
        other.send(one, -2 * count)
        one.receive(other)
    one.wait_until_all_is_acknowledged()
    other.wait_until_all_is_acknowledged()
    # Ada is cut off: what each has sent meanwhile is sent again, under the same numbers.
    one.send(other, 100)
    ada.connection.cut()
    other.hear_of(one, "disconnected")
    other.send(one, 1000)
    ada.resume_patiently()
    one.join(other)
    other.hear_of(one, "connected")
    for sender, receiver in ((one, other), (other, one)):
        for sequence in sorted(sender.open):
            sender.pass_on(receiver, sequence)
        receiver.receive(sender)
        sender.wait_until_all_is_acknowledged()
    expect(one.value == other.value == 55 - 110 + 1100, f"{one.value}, {other.value}")
    ben.call("LeaveMatch", context=context, seat=other.seat)
    ada.wait_for_event("MatchEnded")
    error = refusal(ada, "JoinMatch", context=context, seat=one.seat)
    expect(error.code == "matchEnded", f"{error}")
    play_again(ada, ben, context, one.incarnation)


def play_again(ada, ben, context, incarnation):
    """The next match of the same context: whoever is first says that it is one."""
    first = ada.call("JoinMatch", context=context, seat=11, startsNew=True)
    expect(first["number"] == 2 and first["expectedPlayerCount"] == 1, f"{first}")
    expect(first["incarnation"] != incarnation, "two matches have one incarnation")
    second = ben.call("JoinMatch", context=context, seat=22)
    expect(second["number"] == 2 and second["expectedPlayerCount"] == 0, f"{second}")
    expect(second["incarnation"] == first["incarnation"], f"{second}")
    ben.call("LeaveMatch", context=context, seat=22)
    ada.wait_for_event("MatchEnded")


def wait_for_state(session, player, state):
    changed = {}
    while changed.get("state") != session.protocol.types["MatchPlayerState"]["values"].index(state):
        changed = session.wait_for_event("MatchPlayerChanged")
        expect(changed["player"] == player.player, f"{changed}")
    return changed


def check_limits(started, protocol):
    """The deployment's limits are the usual ones, but for those that a test's stack sets."""
    for name, value in started["limits"].items():
        expect(value > 0, f"{name} is not said")
        if name != "callsPerSecond":
            expect(value == protocol.limits[name], f"{name} is {value}")


def check_idling(make_session, seconds):
    silent, pinging = make_session(), make_session()
    # The silent one signs in last: when it is closed, one that did not ping would be closed, too.
    for session in (pinging, silent):
        # From the reply on a client knows how often to ping.
        session.sign_up("Idle")
        limits = session.sign_in()["limits"]
        expect(limits["idleMilliseconds"] == seconds * 1000, f"{limits}")
    silent.connection.wrote = math.inf  # It never thinks that a ping is due.
    end = time.monotonic() + seconds * 10
    while not is_closed(silent.connection):
        expect(time.monotonic() < end, "a silent connection stays open")
        pinging.connection.read(0.1)
    expect(pinging.call("Echo", payload=b"here")["payload"] == b"here", "a client that pings")


def is_closed(connection):
    try:
        connection.read(0)
    except Lost:
        expect(not connection.stray, "the end is told by a frame")
        return True
    return False


def check_keys(ada):
    """The same key and the same bytes: one context, the same answer. And what the page warns of."""
    ticket = ada.send("CreateSoloContext")
    counter, open_call = ada.counter, ada.open[ada.counter]
    first = ada.result(ticket)
    ada.open[counter] = open_call
    expect(ada.again(counter) == first, "a repeated call ran twice")
    ada.call("SetProfile", displayName="Ada")
    counter = ada.counter
    error = refusal(ada, "SetProfile", counter=counter, displayName="Eda")
    expect(error.code == "keyReused", f"{error}")
    # Another process does not know of the counter.
    expect(ada.call("CreateSoloContext", counter=counter) != first, "two contexts are one")
    # A refusal is not remembered.
    error = refusal(ada, "SetProfile", counter=counter + 1, displayName="")
    expect(error.code == "invalidArgument", f"{error}")
    expect(error.failure["argument"] == "displayName", f"{error}")
    ada.call("SetProfile", counter=counter + 1, displayName="Ada")
    ada.counter = counter + 1


def main():
    parser = argparse.ArgumentParser()
    for option in ("--schema", "--gateway", "--authority", "--game"):
        parser.add_argument(option, required=True)
    parser.add_argument("--idle-seconds", type=int)
    options = parser.parse_args()
    protocol = Protocol(options.schema)
    host, port = options.gateway.rsplit(":", 1)

    def make_session():
        return Session(protocol, host, int(port), options.authority, options.game)

    if options.idle_seconds:
        check_idling(make_session, options.idle_seconds)
        return print("kept a client that pings, and none that was silent")
    ada, ben = make_session(), make_session()
    for session, name in ((ada, "Ada"), (ben, "Ben")):
        session.sign_up(name)
        started = session.sign_in()
        expect(started["displayName"] == name, f"{started}")
        check_limits(started, protocol)
    expect(ada.call("Echo", payload=b"hi")["payload"] == b"hi", "Echo answers something else")
    check_keys(ada)
    befriend(ada, ben)
    profile = ada.call("GetProfile", player=ben.player)
    expect(profile["displayName"] == "Ben" and profile["isAppUser"], f"{profile}")
    context = ada.call("CreatePairContext", player=ben.player)["context"]
    invitation = ben.wait_for_event("ContextInvitation")
    expect(invitation["info"]["context"] == context, f"{invitation}")
    expect(invitation["inviter"] == ada.player, f"{invitation}")
    entered = ben.call("SwitchContext", context=context)
    expect(entered["size"] == 2, f"{entered}")
    play_match(ada, ben, context)
    ada.connection.cut()
    ben.call("LeaveContext", context=context)
    ada.resume_patiently()
    ada.wait_for_event("ContextPlayerChanged")
    ada.call("Acknowledge", through=ada.place)
    ada.call("SignOut")
    expect(refusal(ada, "CurrentContext").code == "notAuthenticated", "still signed in")
    print("played from sign-up to match")


if __name__ == "__main__":
    main()
