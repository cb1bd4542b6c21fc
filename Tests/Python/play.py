#!/usr/bin/env python3
"""Plays from sign-up to matches of two and of three and a turn-based game over TLS, and
checks every step.

    play.py --schema protocol.json --gateway HOST:PORT --authority FILE --game GAME
            [--idle-seconds N]

With --idle-seconds, for which the gateway keeps a silent connection, it only waits: the gateway
must close one, and keep another that pings.
"""
import argparse
import math
import select
import socket
import struct
import threading
import time

from muster_client import Ended, Lost, Protocol, Refused, Session
from recipe import check_recipe


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def refusal(session, operation, **values):
    try:
        session.call(operation, **values)
    except Refused as error:
        session.give_up(error.counter)
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
    ada.matches[context] = lambda: one.join(other)
    ada.resume_patiently()
    del ada.matches[context]
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


def wait_in(session, context, name, **values):
    """The next event of a kind that is about a context and has these values."""
    event = {}
    while event.get("context") != context or any(event[each] != values[each] for each in values):
        event = session.wait_for_event(name)
    return event


def gather(owner, others):
    """A group of friends, who all come."""
    made = owner.call("CreateGroupContext", name="Trio", players=[each.player for each in others])
    group = made["info"]["context"]
    names = [owner.protocol.name("InvitationOutcome", each["outcome"]) for each in made["outcomes"]]
    expect(names == ["invited"] * len(others), f"{names}")
    for size, session in enumerate(others, 2):
        invitation = {}
        while invitation.get("info", {}).get("context") != group:
            invitation = session.wait_for_event("ContextInvitation")
        expect(invitation["info"]["name"] == "Trio", f"{invitation}")
        entered = session.call("SwitchContext", context=group)
        states = [session.protocol.name("ContextPlayerState", each["state"])
                  for each in entered["players"]]
        expect(states.count("active") == size, f"{states}")
    return group


class Seat:
    """One client of a match of several, which numbers its data for each receiver."""

    def __init__(self, session, seat, group, **start):
        self.session, self.seat, self.group = session, seat, group
        joined = session.call("JoinMatch", context=group, seat=seat, **start)
        self.incarnation, self.place = joined["incarnation"], joined["place"]
        self.roster, self.awaited = joined["roster"], joined["expectedPlayerCount"]
        self.sent, self.received = {}, {}

    def wait_for_start(self):
        while self.awaited:
            changed = wait_in(self.session, self.group, "MatchPlayerChanged")
            self.roster, self.awaited = changed["roster"], changed["expectedPlayerCount"]

    def send(self, others, payload, is_to_all=True):
        for other in others:
            self.sent[other.place] = self.sent.get(other.place, 0) + 1
        # One number, and the places for which it is another one.
        sequence = self.sent[others[0].place]
        exceptions = [
            {"place": other.place, "sequence": self.sent[other.place]}
            for other in others if self.sent[other.place] != sequence]
        self.session.call(
            "SendMatchData", context=self.group, incarnation=self.incarnation, seat=self.seat,
            roster=self.roster, isReliable=True, sequence=sequence, exceptions=exceptions,
            receivers=0 if is_to_all else sum(1 << other.place for other in others),
            payload=payload)

    def receive(self, sender):
        data = wait_in(self.session, self.group, "MatchData")
        own = [each["sequence"] for each in data["exceptions"] if each["place"] == self.place]
        number = own[0] if own else data["sequence"]
        expect(data["place"] == sender.place and data["seat"] == sender.seat, f"{data}")
        expect(number == self.received.get(sender.place, 0) + 1, f"{number} is not the next")
        self.received[sender.place] = number
        self.session.call(
            "AcknowledgeMatchData", context=self.group, incarnation=self.incarnation,
            seat=self.seat, receipts=[
                {"place": sender.place, "seat": sender.seat, "through": number}])
        return data["payload"]

    def wait_until_all_is_acknowledged(self):
        waiting = dict(self.sent)
        while waiting:
            acknowledged = wait_in(self.session, self.group, "MatchDataAcknowledged")
            for receipt in acknowledged["receipts"]:
                if receipt["through"] == waiting.get(receipt["place"]):
                    del waiting[receipt["place"]]


def play_match_of_three(ada, ben, cleo, group):
    """To all, to one of them, and to all again: each gets what is for it, under its own numbers."""
    one = Seat(ada, 31, group, players=[ben.player, cleo.player])
    two, three = Seat(ben, 32, group), Seat(cleo, 33, group)
    expect((one.awaited, two.awaited, three.awaited) == (2, 1, 0), "not all are expected")
    one.wait_for_start()
    two.wait_for_start()
    one.send([two, three], b"to both")
    one.send([three], b"to Cleo", is_to_all=False)
    one.send([two, three], b"to both again")
    expect([two.receive(one) for _ in range(2)] == [b"to both", b"to both again"], "Ben's data")
    heard = [three.receive(one) for _ in range(3)]
    expect(heard == [b"to both", b"to Cleo", b"to both again"], f"{heard}")
    one.wait_until_all_is_acknowledged()
    three.send([one, two], b"thanks")
    expect(one.receive(three) == two.receive(three) == b"thanks", "Cleo's data")
    # One leaves, and the match goes on; when a second one does, it is over.
    ben.call("LeaveMatch", context=group, seat=two.seat)
    wait_in(ada, group, "MatchPlayerChanged", player=ben.player)
    three.send([one], b"still here", is_to_all=False)
    expect(one.receive(three) == b"still here", "the match has ended")
    cleo.call("LeaveMatch", context=group, seat=three.seat)
    wait_in(ada, group, "MatchEnded")


def play_turns(ada, ben, cleo, group):
    """Two moves, one of them for a version that is over, and hands that nobody else sees."""
    started = ada.call(
        "StartTurnGame", context=group, players=[ada.player, ben.player], state=b"empty board",
        hidden=[{"player": ada.player, "hidden": b"Ada's hand"},
                {"player": ben.player, "hidden": b"Ben's hand"}])
    game = {"context": group, "number": started["number"]}
    invitation = ben.wait_for_event("TurnGameInvitation")
    expect(invitation["inviter"] == ada.player, f"{invitation}")
    seen = ben.call("AnswerTurnGame", accept=True, **game)
    ada.call("MakeMove", version=started["version"], payload=b"a4", state=b"after a4", **game)
    passed = ben.wait_for_event("TurnPassed")
    expect(passed["player"] == ada.player and passed["moveCount"] == 1, f"{passed}")
    error = refusal(ben, "MakeMove", version=seen["version"], payload=b"b5", **game)
    expect(error.code == "conflict", f"{error}")
    now = ben.protocol.message("TurnGameView", error.failure["detail"])
    expect((now["state"], now["hidden"]) == (b"after a4", b"Ben's hand"), f"{now}")
    ben.call("MakeMove", version=now["info"]["version"], payload=b"b5", **game)
    ada.wait_for_event("TurnPassed")
    moves = ada.call("ReadMoves", **game)["moves"]
    expect([move["payload"] for move in moves] == [b"a4", b"b5"], f"{moves}")
    # Cleo is in the group and not in the game.
    view = cleo.call("ReadTurnGame", **game)
    expect(view["state"] is None and view["hidden"] is None, f"{view}")
    error = refusal(cleo, "ReadMoves", **game)
    expect(error.code == "notAllowed", f"{error}")
    version = ada.call("ReadTurnGame", **game)["info"]["version"]
    ended = ada.call(
        "EndTurnGame", version=version, outcomes=[
            {"player": ada.player, "outcome": "won"}, {"player": ben.player, "outcome": "lost"}],
        **game)
    expect(ada.protocol.name("TurnPhase", ended["phase"]) == "ended", f"{ended}")
    ben.wait_for_event("TurnGameEnded")


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
    silent.connection.limits = {**silent.limits, "idleMilliseconds": math.inf}
    end = time.monotonic() + seconds * 10
    while not is_closed(silent.connection):
        expect(time.monotonic() < end, "a silent connection stays open")
        pinging.connection.read(0.1)
    expect(pinging.call("Echo", payload=b"here")["payload"] == b"here", "a client that pings")
    check_silence(pinging, seconds)


class Relay(threading.Thread):
    """Passes one connection on, until it keeps for itself what comes, as a broken network does."""

    def __init__(self, host, port):
        super().__init__(daemon=True)
        self.target, self.is_broken = (host, port), False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        client, _ = self.listener.accept()
        gateway = socket.create_connection(self.target)
        other = {client: gateway, gateway: client}
        while True:
            for end in select.select(list(other), [], [])[0]:
                data = end.recv(65536)
                if not data:
                    return
                if not self.is_broken:
                    other[end].sendall(data)


def check_silence(session, seconds):
    """A connection on which nothing comes any more is lost after half of the time."""
    host, port, authority = session.address
    relay = Relay(host, port)
    session.address = "127.0.0.1", relay.port, authority
    session.resume_patiently()
    relay.is_broken = True
    began = time.monotonic()
    while not is_closed(session.connection):
        expect(time.monotonic() < began + seconds, "a dead connection stays open")
        time.sleep(0.1)
    expect(time.monotonic() > began + seconds / 4, "no ping had time for an answer")
    session.address = host, port, authority
    session.resume_patiently()


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
    error = refusal(ada, "SetProfile", counter=counter + 1, displayName=" ")
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
    check_recipe(protocol)
    host, port = options.gateway.rsplit(":", 1)

    def make_session():
        return Session(protocol, host, int(port), options.authority, options.game)

    if options.idle_seconds:
        check_idling(make_session, options.idle_seconds)
        return print("kept a client that pings, and none that was silent")
    ada, ben, cleo = make_session(), make_session(), make_session()
    for session, name in ((ada, "Ada"), (ben, "Ben"), (cleo, "Cleo")):
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
    befriend(ada, cleo)
    group = gather(ada, [ben, cleo])
    play_match_of_three(ada, ben, cleo, group)
    play_turns(ada, ben, cleo, group)
    ada.connection.cut()
    ben.call("LeaveContext", context=context)
    ada.resume_patiently()
    left = protocol.types["ContextPlayerState"]["values"].index("left")
    wait_in(ada, context, "ContextPlayerChanged", state=left)
    ada.call("Acknowledge", through=ada.place)
    ben.token = b"none of the gateway's"
    ben.resume_patiently()
    expect(ben.call("Echo", payload=b"anew")["payload"] == b"anew", "Ben did not sign in again")
    twin = make_session()
    twin.token, twin.place, twin.place_id = ada.token, ada.place, ada.place_id
    twin.resume()
    ada.call("SignOut")
    expect(not twin.wait_for_event("SessionRevoked")["canResume"], "the session goes on")
    try:
        twin.resume_patiently()
        raise AssertionError("a session that is over was resumed")
    except Ended:
        pass
    expect(refusal(ada, "CurrentContext").code == "notAuthenticated", "still signed in")
    print("played from sign-up to match")


if __name__ == "__main__":
    main()
