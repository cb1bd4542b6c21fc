#!/usr/bin/env python3
"""Does to a gateway what no good client does; after each case an honest player is served.

    adversary.py --schema protocol.json --gateway HOST:PORT --authority FILE --game GAME
                 [--seed N] [--only CASE]

Cases: bytes that are no frame; every truncation of every operation's body; absurd counts; wrong,
used and forgotten keys; correlations in use, or 0; a second sign-in; texts that break a rule;
floors and counters at the ends of their range; cursors of other lists and players; 1,000 calls at
once; half-closed sockets; frames in pieces; another TLS version, no ALPN.
Prints a line for each case; ends with status 1 when an answer is not what protocol.md says.
"""
import argparse
import os
import random
import socket
import ssl
import sys

from muster_client import Connection, Lost, Malformed, Protocol, Refused, Session
from muster_client.codec import identifier_text
from muster_client.connection import ERROR, HEADER, PING, REPLY, REQUEST

LARGEST = 2**64 - 1
CASES = (
    "no_frames", "largest_frame", "truncations", "absurd_counts", "keys", "correlations",
    "signed_in", "texts", "floors", "cursors", "thousand_calls", "half_closed", "pieces",
    "not_for_players", "handshakes")
failures = []


def expect(condition, what):
    if condition:
        return
    failures.append(what)
    print(f"  WRONG: {what}", flush=True)


class Attack:
    def __init__(self, options):
        self.options = options
        self.protocol = Protocol(options.schema)
        self.host, port = options.gateway.rsplit(":", 1)
        self.port = int(port)
        self.random = random.Random(options.seed)
        self.honest = self.player("Honest")

    def session(self):
        return Session(
            self.protocol, self.host, self.port, self.options.authority, self.options.game)

    def player(self, name):
        session = self.session()
        session.sign_up(name)
        session.sign_in()
        return session

    def connection(self):
        return Connection(self.host, self.port, self.options.authority, self.protocol.limits)

    def code(self, session, operation, **values):
        try:
            session.call(operation, **values)
            return "done"
        except Refused as error:
            return error.code

    def refusal(self, session, operation, **values):
        """The code and the argument of a refusal; what is done has neither."""
        try:
            session.call(operation, **values)
            return "done", ""
        except Refused as error:
            return error.code, error.failure["argument"]

    def raw(self, session, opcode, body, counter=0):
        """The code of the refusal of any bytes as a call, or "done"."""
        connection = session.connection
        kind, answer = connection.wait(
            connection.request(opcode, session.envelope(counter) + body))
        if kind == REPLY:
            return "done"
        return self.code_of(answer)

    def code_of(self, failure):
        return self.protocol.name("FailureCode", self.protocol.message("Failure", failure)["code"])

    # The cases

    def no_frames(self):
        """An error frame with correlation 0, then the end."""
        cases = [
            b"GET / HTTP/1.1\r\n\r\n", b"\xff\xff\xff\xff" + bytes(8), bytes(4),
            HEADER.pack(8, 9, REQUEST, 1, 1), HEADER.pack(8, 1, 77, 1, 1),
            HEADER.pack(self.protocol.limits["frameBytesMax"] - 3, 1, REQUEST, 1, 1),
        ]
        for case in cases:
            connection = self.connection()
            connection.send_bytes(case)
            try:
                connection.read_until(lambda: False, 10)
            except Lost:
                pass
            except TimeoutError:
                expect(False, f"{case[:12].hex()} does not end the connection")
            told = [frame[:3] for frame in connection.stray]
            expect(told == [(ERROR, 0, 0)], f"{case[:12].hex()} is answered by {told}")
            if case[5:6] == bytes([77]):
                # The page shows this one byte by byte.
                body = connection.stray[0][3]
                found = HEADER.pack(8 + len(body), 1, ERROR, 0, 0) + body
                shown = [
                    each["hex"] for each in self.protocol.schema["examples"]
                    if (each["kind"], each["opcode"]) == ("error", 0)]
                expect([found.hex()] == shown, f"the example is {shown}, the frame {found}")
            connection.close()

    def largest_frame(self):
        """Exactly the limit is taken."""
        session = self.session()
        session.connect()
        room = self.protocol.limits["frameBytesMax"] - HEADER.size
        room -= len(session.envelope(0)) + 4
        payload = self.random.randbytes(room)
        expect(session.call("Echo", payload=payload)["payload"] == payload, "the largest frame")

    def truncations(self):
        """Every prefix of a random body of every player's operation, and bytes behind its end.

        A prefix that ends between two fields has defaults for the rest; any other is malformed.
        """
        for operation in self.protocol.schema["operations"]:
            if operation["name"] in ("SignOut", "SignUp") or "player" not in operation["callers"]:
                continue
            session = self.player("Truncated")
            body = self.protocol.encode_fields(operation["fields"], self.noise(operation["fields"]))
            tickets = []
            for count in range(len(body) + 1):
                session.counter += 1
                tickets.append((count, session.connection.request(
                    operation["opcode"], session.envelope(session.counter) + body[:count])))
                if len(tickets) == 32 or count == len(body):
                    for count, correlation in tickets:
                        self.check_prefix(session, operation, body[:count], correlation)
                    tickets = []
            # Bytes behind the last field are of a newer client, and are skipped.
            session.counter += 1
            code = self.raw(session, operation["opcode"], body + b"newer", session.counter)
            expect(code != "malformed", f"{operation['name']} with more bytes is {code}")

    def check_prefix(self, session, operation, prefix, correlation):
        kind, answer = session.connection.wait(correlation)
        code = "done"
        if kind == ERROR:
            code = self.code_of(answer)
        try:
            self.protocol.decode_fields(operation["fields"], prefix)
            is_whole = True
        except Malformed:
            is_whole = False
        # Without its first field a call may have no key, and then it is malformed as well.
        if not is_whole:
            # What a call is about is asked for before its body is read whole, and may not be there.
            expect(code in ("malformed", "notFound"),
                   f"{operation['name']} of {prefix.hex()} is {code}")
        elif prefix:
            expect(code not in ("malformed", "unavailable", "rateLimited"),
                   f"{operation['name']} of {prefix.hex()} is {code}")

    def noise(self, fields):
        return {field["name"]: self.value(field["type"]) for field in fields}

    def value(self, kind):
        if isinstance(kind, dict):
            inner = self.value(next(iter(kind.values())))
            return [inner, inner] if "list" in kind else inner
        if kind == "String":
            return "noise"
        if kind == "Bytes":
            return b"noise"
        if kind == "Double":
            return 0.5
        if kind in ("Bool", "UInt8"):
            return 1
        if kind.startswith(("UInt", "Int")):
            bits = min(32, int(kind.lstrip("UInt")))
            return self.random.choice([0, 1, 2 ** (bits - 1) - 1])
        description = self.protocol.types[kind]
        if "identifier" in description:
            return self.random.randbytes(16)
        if "values" in description:
            return self.random.choice([0, 1, 200])
        return self.noise(description["fields"])

    def absurd_counts(self):
        """A count beyond the message is malformed, at once and whatever it is."""
        session = self.player("Absurd")
        for body in (b"\xff\xff\xff\xff", b"\x7f\xff\xff\xffx", b"\0\0\0\x03hi"):
            for name in ("SetProfile", "Echo"):
                session.counter += 1
                opcode = self.protocol.operations[name]["opcode"]
                code = self.raw(session, opcode, body, session.counter)
                expect(code == "malformed", f"{name} of {body} is {code}")
                code = self.code(
                    session, "SetProfile", counter=session.counter, displayName="Whole")
                expect(code == "done", f"the counter of a malformed call is {code}")
        for envelope in (b"", b"\0", b"\xff\xff\xff\xff", b"\0\0\0\x24" + bytes(8)):
            connection = session.connection
            kind, answer = connection.wait(connection.request(1, envelope))
            expect(
                kind == ERROR and self.code_of(answer) == "malformed", f"envelope {envelope[:8]}")

    def keys(self):
        session = self.player("Keys")
        for name, values in (("SetProfile", {"displayName": "x"}), ("JoinMatch", {"seat": 1})):
            refusal = self.refusal(session, name, counter=0, **values)
            expect(refusal == ("requiredArgument", "idempotency"), f"{name}, no key: {refusal}")
        expect(self.code(session, "SetProfile", counter=5, displayName="Five") == "done", "five")
        expect(self.code(session, "SetProfile", counter=5, displayName="Five") == "done", "again")
        expect(self.code(session, "SetProfile", counter=5, displayName="Six") == "keyReused",
               "another body under a used counter is taken")
        for counter in (4, 5, LARGEST):
            code = self.code(session, "GetProfile", counter=counter, player=session.player)
            expect(code == "done", f"a read with the counter {counter} is {code}")
        expect(self.code(session, "SetProfile", counter=4, displayName="Four") == "staleKey",
               "a counter below the floor is taken")
        expect(self.code(session, "SetProfile", counter=6, displayName=" ") == "invalidArgument",
               "an empty name is taken")
        expect(self.code(session, "SetProfile", counter=6, displayName="Six") == "done",
               "a refusal is remembered")

    def floors(self):
        """No counter and no floor locks the session out."""
        session = self.player("Floors")
        for counter, floor in ((LARGEST, LARGEST), (7, LARGEST), (2**33, 1)):
            session.envelope = lambda _, counter=counter, floor=floor: self.envelope(counter, floor)
            code = self.code(session, "SetProfile", counter=counter, displayName="Locked")
            expect(code == "invalidArgument", f"counter {counter} with floor {floor} is {code}")
        del session.envelope
        expect(self.code(session, "SetProfile", displayName="Free") == "done", "it is locked out")
        session.envelope = lambda counter: self.envelope(counter, 1)
        codes = [self.code(session, "SetProfile", displayName="F") for _ in range(200)]
        refused = {code for code in codes if code != "done"}
        expect(refused == {"floorTooLow"}, f"answers without end are refused with {refused}")
        del session.envelope
        expect(self.code(session, "SetProfile", displayName="Free") == "done", "it stays refused")

    def envelope(self, counter, floor):
        data = self.protocol.encode_fields(
            self.protocol.types["ClientEnvelope"]["fields"],
            {"idempotency": {"instance": 0, "counter": counter, "floor": floor}})
        return len(data).to_bytes(4, "big") + data

    def cursors(self):
        """A cursor is of one list, one player and one game."""
        ada, ben = self.player("Ada"), self.player("Ben")
        for _ in range(3):
            ada.call("CreateSoloContext")
        # The list may be a moment behind the call.
        cursor = ""
        for _ in range(100):
            cursor = cursor or ada.call("ListContexts", limit=1)["cursor"]
        expect(self.code(ada, "ListContexts", cursor=cursor) == "done", "its own cursor is refused")
        lists = (
            "Inbox", "ReceivedChallenges", "IssuedChallenges", "ListAchievements",
            "DescribeAchievements")
        for name in lists:
            code = self.code(ada, name, cursor=cursor)
            expect(code == "invalidArgument", f"{name} takes the cursor of ListContexts: {code}")
        code = self.code(ben, "ListContexts", cursor=cursor)
        expect(code == "invalidArgument", f"another player's cursor is taken: {code}")
        for text in (cursor[:-1], cursor + "0", cursor.upper(), "é" * 26, "0" * 5000):
            code = self.code(ada, "ListContexts", cursor=text)
            expect(code == "invalidArgument", f"the cursor {text[:30]!r} is {code}")
        beyond = self.session()
        beyond.token = ada.token
        beyond.place, beyond.place_id = LARGEST, bytes(15) + b"1"
        started = beyond.resume()
        expect(len(beyond.places_lost) == 1, "a cursor beyond the end is taken")
        expect(beyond.place == started["acknowledged"], f"the place is {beyond.place}")
        self.lost_while_reading(beyond)
        half = self.session()
        half.connect()
        refusal = self.refusal(half, "Resume", token=ada.token, cursor=1)
        expect(refusal == ("requiredArgument", "cursorEvent"), f"a number alone: {refusal}")
        refusal = self.refusal(half, "Resume", token=ada.token, cursorEvent=b"x" * 16)
        expect(refusal == ("requiredArgument", "cursor"), f"an event without a number: {refusal}")

    def lost_while_reading(self, session):
        """The connection still has its session: to begin again takes another one."""
        session.place = LARGEST
        try:
            session.read_on()
            expect(False, "a place beyond the end is read from")
        except Lost:
            pass
        expect(len(session.places_lost) == 2, f"{session.places_lost}")
        started = session.resume()
        expect(session.place == started["acknowledged"], f"the place is {session.place}")

    def correlations(self):
        """The server only repeats them: 0, and one that is in use."""
        session = self.player("Correlated")
        connection, opcode = session.connection, self.protocol.operations["Echo"]["opcode"]
        body = session.envelope(0) + self.protocol.request("Echo", {"payload": b"hi"})
        connection.send(REQUEST, opcode, 0, body)
        connection.read_until(lambda: connection.stray, 10)
        expect(connection.stray[0][:3] == (REPLY, opcode, 0), f"{connection.stray}")
        for _ in range(2):
            connection.send(REQUEST, opcode, 77, body)
        for _ in range(2):
            expect(connection.wait(77)[0] == REPLY, "a call with a used correlation is refused")

    def signed_in(self):
        """A connection has one session, and no second one takes its place."""
        session = self.player("Signed")
        greetings = ("SignUp", "SignIn", "Resume", "SignInOperator", "SignInGameServer")
        for name in greetings:
            code = self.code(session, name)
            expect(code == "alreadyExists", f"{name} on a signed-in connection is {code}")
        expect(self.code(session, "SignOut") == "done", "SignOut is refused")
        expect(self.code(session, "SignOut") == "notAuthenticated", "SignOut again")
        token, session.token = session.token, b""
        expect(self.code(session, "Resume", token=token) == "invalidCredential", "after SignOut")
        session.sign_in()
        expect(self.code(session, "SignOut") == "done", "after a refused Resume")

    def texts(self):
        """The page's rules for texts: what is refused, with which code and for which field."""
        session = self.player("Texts")
        names = (
            " ", "  ", "x" * 41, "a\tb", "a\u202eb", "a\u200bb", "\u0301a", "e" + "\u0301" * 81,
            "a\u2028b")
        for name in names:
            refusal = self.refusal(session, "SetProfile", displayName=name)
            expect(refusal == ("invalidArgument", "displayName"), f"{name!r}: {refusal}")
        session.call("SetProfile", displayName="  e\u0301\u00a0 b ")
        kept = session.call("GetProfile", player=session.player)["displayName"]
        expect(kept == "\u00e9 b", f"the name is kept as {kept!r}")
        required, invalid = "requiredArgument", "invalidArgument"
        cases = (
            (required, "message", {"message": ""}),
            (required, "objectID", {"actionType": "send"}),
            (required, "objectID", {"actionType": "askFor"}),
            (invalid, "objectID", {"actionType": "turn", "objectID": "x"}),
            (invalid, "recipients", {"filters": "appUsers"}),
            (invalid, "recipients", {"recipientSuggestions": ["x"]}),
            (invalid, "recipientSuggestions",
             {"recipients": [], "filters": "appUsers", "recipientSuggestions": ["x"]}),
            (invalid, "data", {"data": "x" * 256}),
            (invalid, "actionType", {"actionType": 99}),
            (invalid, "filters", {"recipients": [], "filters": 99}),
            (invalid, "message", {"message": "x" * 2049}),
            (invalid, "objectID", {"actionType": "send", "objectID": "x" * 257}),
            (invalid, "title", {"title": "x" * 513}),
            (invalid, "cta", {"cta": "x" * 257}),
            (invalid, "recipients", {"recipients": ["x"] * 51}),
            (invalid, "recipients", {"recipients": [""]}),
            (invalid, "recipients", {"recipients": ["x" * 129]}),
            (invalid, "title", {"title": "a\u2028b"}),
            (required, "recipients", {"recipients": []}),
        )
        for code, argument, values in cases:
            refusal = self.refusal(
                session, "SendRequest", **{"message": "hi", "recipients": ["x"], **values})
            expect(refusal == (code, argument), f"{str(values)[:60]}: {refusal}")
        sent = session.call(
            "SendRequest", message="two\nlines " * 10,
            recipients=["x", identifier_text(session.player).upper()])
        outcomes = [
            self.protocol.name("DeliveryOutcome", each["outcome"]) for each in sent["recipients"]]
        expect(outcomes == ["notReachable"] * 2 and len(sent["warnings"]) == 1, f"{sent}")

    def thousand_calls(self):
        """Each is answered, once; those over the limit with `backpressure`."""
        session = self.player("Thousand")
        tickets = [session.send("GetProfile", player=session.player) for _ in range(1000)]
        codes = {}
        for ticket in tickets:
            try:
                session.result(ticket)
                code = "done"
            except Refused as error:
                code = error.code
            codes[code] = codes.get(code, 0) + 1
        expect(set(codes) <= {"done", "backpressure", "rateLimited"}, f"{codes}")
        expect(codes.get("done", 0) >= self.protocol.limits["openCallsMax"], f"{codes}")
        expect(not session.connection.answers, "a call is answered twice")

    def half_closed(self):
        """A client that ends its half, or is cut, in the middle of calls and of frames."""
        for _ in range(20):
            session = self.player("Half")
            for _ in range(self.random.randrange(1, 40)):
                session.send("CreateSoloContext")
            frame = HEADER.pack(100, 1, REQUEST, 1, 9) + bytes(92)
            session.connection.send_bytes(frame[: self.random.randrange(1, len(frame))])
            if self.random.random() < 0.5:
                session.connection.cut()
            else:
                session.connection.socket.shutdown(socket.SHUT_WR)
                try:
                    session.connection.read_until(lambda: False, 10)
                except (Lost, TimeoutError) as error:
                    expect(isinstance(error, Lost), "a half-closed connection stays open")
                session.connection.close()

    def pieces(self):
        """A frame byte by byte, with pings between frames."""
        session = self.session()
        session.connect()
        body = session.envelope(0) + self.protocol.request("Echo", {"payload": b"slow"})
        frame = HEADER.pack(8 + len(body), 1, REQUEST, 1, 99) + body
        for byte in frame + HEADER.pack(8, 1, PING, 0, 7):
            session.connection.send_bytes(bytes([byte]))
        kind, answer = session.connection.wait(99)
        expect(kind == REPLY and answer.endswith(b"slow"), "a frame in pieces")
        session.connection.read_until(lambda: session.connection.stray, 10)
        expect(session.connection.stray == [(PING, 0, 0, b"")], f"{session.connection.stray}")

    def not_for_players(self):
        """Frames that only a server sends are skipped; operations of others are refused."""
        session = self.player("Curious")
        for kind in (REPLY, ERROR, 3):
            session.connection.send(kind, 1, 5, os.urandom(20))
        expect(session.call("Echo", payload=b"x")["payload"] == b"x", "after frames of a server")
        for opcode in (0x0201, 0x0205, 0x02F0, 0x01F1, 0x0134, 0x0999, 0xFFFF):
            session.counter += 1
            code = self.raw(session, opcode, os.urandom(40), session.counter)
            expect(code in ("notAllowed", "unknownOperation"), f"{opcode:#06x} is {code}")
        for operation in self.protocol.schema["operations"]:
            if operation["callers"] == ["operator"]:
                session.counter += 1
                code = self.raw(session, operation["opcode"], b"\0" * 64, session.counter)
                expect(code == "notAllowed", f"{operation['name']} is {code} for a player")

    def handshakes(self):
        """TLS 1.2 and a handshake without the ALPN name."""
        for change in ("old", "nameless"):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.load_verify_locations(self.options.authority)
            if change == "old":
                context.maximum_version = ssl.TLSVersion.TLSv1_2
                context.set_alpn_protocols(["muster/1"])
            plain = socket.create_connection((self.host, self.port), 60)
            try:
                with context.wrap_socket(plain, server_hostname=self.host) as connection:
                    connection.sendall(HEADER.pack(8, 1, PING, 0, 1))
                    expect(not connection.recv(12), f"a handshake that is {change} is served")
            except ssl.SSLCertVerificationError:
                raise
            except (ssl.SSLError, ConnectionError):
                pass
            except TimeoutError:
                expect(False, f"after a handshake that is {change} the connection stays open")

    def run(self):
        for case in CASES:
            if self.options.only in (None, case):
                print(case, flush=True)
                getattr(self, case)()
                name = self.honest.call("GetProfile", player=self.honest.player)["displayName"]
                expect(name == "Honest", "the honest player is not served")


def main():
    parser = argparse.ArgumentParser()
    for option in ("--schema", "--gateway", "--authority", "--game"):
        parser.add_argument(option, required=True)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--only", choices=CASES)
    options = parser.parse_args()
    print(f"seed {options.seed}")
    Attack(options).run()
    if failures:
        sys.exit(f"{len(failures)} answers are not what protocol.md says")
    print("every answer is what protocol.md says")


if __name__ == "__main__":
    main()
