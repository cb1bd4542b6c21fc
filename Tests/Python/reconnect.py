#!/usr/bin/env python3
"""Follows the reconnect recipe of protocol.md through cuts and kills, over games and devices.

    reconnect.py --schema protocol.json --gateway HOST:PORT --authority FILE --game GAME
                 --other-game GAME [--rounds N] [--missed-max N] [--kills] [--careful] [--seed N]

One player is connected by two devices in one game and by a third in another. Friends send the
player numbered requests, while connections are cut: at once, or in the middle of a frame. With
--kills it also prints `kill NAME`, while calls are open, and waits for a line on its standard
input, by when the process runs again. With --careful every push is a hint alone, and events are
read: so it can be told whether pushes or the stream lose them.

At the end each device must have every request of its game once and in order; as many as are
missing must have been told by `EventsDropped`. Calls that were open together when one of them had
to be made again have no order among them, since the others may have run before it.
"""
import argparse
import random
import sys
import time

from muster_client import Lost, Protocol, Refused, Session
from muster_client.codec import identifier_text

WINDOW = 32
# After these it is not known whether the call ran: it is made again.
UNKNOWN = ("unavailable", "deadlineExceeded")


class Sender:
    def __init__(self, session, receiver):
        self.session, self.receiver = session, receiver
        self.sent = 0
        self.repeated = []  # ranges of numbers that were open together when some were sent again
        self.interrupt = None  # done once, while calls are open
        session.call("InviteFriend", player=receiver.player)
        receiver.wait_for_event("FriendInvitation")
        receiver.call("AnswerFriend", player=session.player, accept=True)
        session.wait_for_event("FriendAccepted")
        self.name = identifier_text(session.player)

    def send(self, count):
        """Sends numbered requests; each is accepted before the round goes on."""
        while count > 0:
            first = self.sent + 1
            try:
                tickets = []
                for _ in range(min(WINDOW, count)):
                    self.sent += 1
                    count -= 1
                    # From here on it is an open call, which `recover` makes again.
                    tickets.append(self.request())
                if self.interrupt:
                    interrupt, self.interrupt = self.interrupt, None
                    interrupt()
                for ticket in tickets:
                    self.session.result(ticket)
            except (Lost, Refused) as error:
                if isinstance(error, Refused) and error.code not in UNKNOWN:
                    raise
                self.repeated.append(range(first, self.sent + 1))
                self.recover()
            try:
                self.session.events()
            except Lost:
                self.recover()

    def order(self, number):
        """What is sent later has a greater one, and the same where there is no order."""
        return next((some[0] for some in self.repeated if number in some), number)

    def request(self):
        return self.session.send(
            "SendRequest", message=f"{self.sent}",
            recipients=[identifier_text(self.receiver.player)])

    def recover(self):
        for _ in range(100):
            try:
                self.session.resume_patiently()
                return
            except (Lost, Refused, TimeoutError):
                time.sleep(0.1)
        raise SystemExit("a sender cannot come back")


class Device:
    """One device of the player, and what it has handled."""

    def __init__(self, session):
        self.session = session
        self.log = []  # (sequence, sender, number), or (sequence, None, count) of events dropped

    def come_back(self):
        for _ in range(100):
            try:
                self.session.resume_patiently()
                return self.take()
            except (Lost, Refused, TimeoutError):
                time.sleep(0.05)
        raise SystemExit("a device cannot come back")

    def take(self):
        """Handles what has come."""
        try:
            events = self.session.events()
        except (Lost, Refused) as error:
            # What a reading was refused for is still held, and is taken again.
            if isinstance(error, Refused) and error.code not in UNKNOWN:
                raise
            events = self.session.handled
            self.session.handled = []
        for sequence, inner in events:
            if inner and inner[0] == "EventsDropped":
                self.log.append((sequence, None, inner[1]["count"]))
            if inner and inner[0] == "RequestReceived":
                request = inner[1]["request"]
                self.log.append(
                    (sequence, identifier_text(request["sender"]), int(request["message"])))

    def listen(self, seconds):
        try:
            self.session.connection.read(seconds)
            self.take()
        except Lost:
            self.take()
            self.come_back()

    def call(self, operation, **values):
        """Makes a call, on as many connections as it takes; a lost one is made again."""
        try:
            return self.session.call(operation, **values)
        except (Lost, Refused):
            self.take()
            self.come_back()
            return None

    def cut(self, chance):
        connection = self.session.connection
        kind = chance.randrange(3)
        try:
            if kind == 0:
                connection.send_bytes(bytes(chance.randrange(1, 4)))
            elif kind == 1:
                connection.read(0.01)
        except Lost:
            pass
        # What was read before the cut was seen, and is handled.
        self.take()
        connection.cut()

    def faults(self, senders):
        """What is wrong with the log: doubled, out of order, or missing and not told."""
        found = [
            f"{first} to {last} are acknowledged, and not by this device"
            for first, last in self.session.gaps]
        # No backup was put back.
        found += [f"the place was lost: {each}" for each in self.session.places_lost]
        last = 0
        for entry in self.log:
            if entry[0] <= last:
                found.append(f"{entry} came after {last}")
            last = entry[0]
        missing = sum(self.missing(sender, found) for sender in senders)
        told = sum(entry[2] for entry in self.log if entry[1] is None)
        if missing != told:
            found.append(f"{missing} requests are missing, and {told} were told to be dropped")
        return found

    def missing(self, sender, found):
        """How many of a sender's requests did not come."""
        numbers = [number for _, name, number in self.log if name == sender.name]
        if len(numbers) != len(set(numbers)):
            found.append(f"{len(numbers) - len(set(numbers))} of {sender.name} came twice")
        for one, other in zip(numbers, numbers[1:]):
            if sender.order(other) < sender.order(one):
                found.append(f"{other} of {sender.name} came after {one}")
        missing = sorted(set(range(1, sender.sent + 1)) - set(numbers))
        if missing and all(name for _, name, _ in self.log):
            found.append(
                f"{len(missing)} of {sender.name} never came, from {missing[0]} to {missing[-1]}")
        return len(missing)


class Trial:
    def __init__(self, options):
        self.options = options
        self.chance = random.Random(options.seed)
        self.protocol = Protocol(options.schema)
        games = [options.game, options.other_game]
        self.player = self.session(games[0])
        self.player.sign_up("Receiver")
        self.player.sign_in()
        self.devices = [self.device(games[0]), self.device(games[0]), self.device(games[1])]
        self.senders = {game: [] for game in games}
        for game in (games[0], games[0], games[1]):
            sender = self.session(game)
            sender.sign_up("Sender")
            sender.sign_in()
            self.senders[game].append(Sender(sender, self.player))

    def session(self, game):
        host, port = self.options.gateway.rsplit(":", 1)
        return Session(
            self.protocol, host, int(port), self.options.authority, game, self.options.careful)

    def device(self, game):
        session = self.session(game)
        session.player, session.device = self.player.player, self.player.device
        session.secret = self.player.secret
        session.sign_in()
        return Device(session)

    def round(self):
        away = [device for device in self.devices if self.chance.random() < 0.7]
        for device in away:
            device.cut(self.chance)
        count = int(self.options.missed_max ** self.chance.random())
        if self.options.kills and self.chance.random() < 0.3:
            sender = self.chance.choice([each for some in self.senders.values() for each in some])
            name = self.chance.choice(["gateway", "request/1"])
            sender.interrupt = lambda: self.kill(name)
        for senders in self.senders.values():
            for sender in senders:
                sender.send(self.chance.randrange(count + 1))
        # Some events come live, while devices are on their way back.
        for device in self.devices:
            if device in away:
                device.come_back()
        for senders in self.senders.values():
            senders[0].send(self.chance.randrange(5))
        for device in self.devices:
            device.listen(0.01)
        self.empty_inbox()
        if self.chance.random() < 0.5:
            self.acknowledge()

    def kill(self, name):
        print(f"kill {name}", flush=True)
        sys.stdin.readline()
        for device in self.devices:
            device.listen(0.01)

    def empty_inbox(self):
        """The list of open requests is bounded; the stream does not depend on it."""
        for device in (self.devices[0], self.devices[2]):
            while requests := (device.call("Inbox", limit=100) or {}).get("requests"):
                for start in range(0, len(requests), WINDOW):
                    try:
                        tickets = [
                            device.session.send("DeleteRequest", request=each["request"])
                            for each in requests[start : start + WINDOW]]
                        for ticket in tickets:
                            device.session.result(ticket)
                    except (Lost, Refused):
                        device.come_back()
            device.take()

    def acknowledge(self):
        """What both devices of a game have handled; a device that is behind would lose the rest."""
        for devices in (self.devices[:2], self.devices[2:]):
            devices[0].call("Acknowledge", through=min(each.session.place for each in devices))

    def settle(self):
        """Waits until each device has every request of its game, or was told of it."""
        end = time.monotonic() + 30
        while time.monotonic() < end and self.faults():
            for device in self.devices:
                device.listen(0.1)
            self.acknowledge()

    def faults(self):
        return [
            f"device {number}: {fault}" for number, device in enumerate(self.devices, 1)
            for fault in device.faults(self.senders[device.session.game])]

    def run(self):
        for number in range(self.options.rounds):
            self.round()
            if number % 10 == 9:
                total = sum(each.sent for some in self.senders.values() for each in some)
                print(f"round {number + 1}: {total} requests", flush=True)
        self.settle()
        for number, device in enumerate(self.devices, 1):
            told = [count for _, sender, count in device.log if sender is None]
            print(
                f"device {number}: {len(device.log) - len(told)} requests, "
                f"{sum(told)} told to be dropped in {len(told)} places")
        found = self.faults()
        if found:
            sys.exit("\n".join(found[:20]) + f"\n{len(found)} faults")
        print("every event came once and in order, or was told to be dropped")


def main():
    parser = argparse.ArgumentParser()
    for option in ("--schema", "--gateway", "--authority", "--game", "--other-game"):
        parser.add_argument(option, required=True)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--missed-max", type=int, default=5000)
    parser.add_argument("--kills", action="store_true")
    parser.add_argument("--careful", action="store_true")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    Trial(options).run()


if __name__ == "__main__":
    main()
