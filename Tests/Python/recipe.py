"""What the model client keeps and repeats, without a server: `play.py` runs it first."""
import collections

from muster_client import Ended, Lost, Refused, Session
from muster_client.connection import ERROR, REPLY


class Line:
    """A connection that answers each call as it is told to, and keeps what was sent."""

    def __init__(self, protocol):
        self.protocol, self.sent, self.answers = protocol, [], collections.deque()
        self.events = collections.deque()

    def request(self, opcode, body):
        size = int.from_bytes(body[:4], "big")
        envelope = self.protocol.message("ClientEnvelope", body[4 : 4 + size])
        self.sent.append((opcode, envelope, body[4 + size :]))
        return len(self.sent)

    def wait(self, correlation, seconds):
        kind, body = self.answers.popleft()
        if kind is None:
            raise Lost("as told")
        return kind, body

    def close(self):
        pass

    def refuse(self, code, after=0):
        number = self.protocol.failures[code]["number"]
        self.answers.append((ERROR, self.protocol.encode_fields(
            self.protocol.types["Failure"]["fields"],
            {"code": number, "retryAfterMilliseconds": after})))

    def reply(self, operation):
        self.answers.append((REPLY, self.protocol.encode_fields(
            self.protocol.reply_fields(operation), {})))

    def revoke(self, can_resume):
        event = next(each for each in self.protocol.events.values()
                     if each["name"] == "SessionRevoked")
        self.events.append((event["opcode"], self.protocol.encode_fields(
            event["fields"], {"canResume": can_resume, "text": "as told"})))


class Trial(Session):
    """A session whose connections are all one line, and which does not wait."""

    def __init__(self, protocol):
        super().__init__(protocol, "nowhere", 1, "", "demo")
        self.line = self.connection = Line(protocol)
        self.connects, self.pauses = 0, []
        self.player = self.device = bytes(16)
        self.secret, self.token, self.place = b"secret", b"token", 0

    def connected(self):
        self.connects += 1
        return self.line

    def rest(self, seconds):
        self.pauses.append(seconds)

    def refused(self, code):
        self.line.refuse(code)
        try:
            self.call("SetProfile", displayName="Ada")
        except Refused as error:
            return error
        raise AssertionError(f"{code} is no refusal")

    def sent(self):
        """The names of what was sent since the last time, with the keys' counters and floors."""
        names = {each["opcode"]: name for name, each in self.protocol.operations.items()}
        sent, self.line.sent = self.line.sent, []
        return [
            (names[opcode], envelope["idempotency"]["counter"], envelope["idempotency"]["floor"])
            for opcode, envelope, _ in sent]


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def check_open_keys(protocol):
    """What is made again keeps its key: no floor passes it. Nothing else holds the floor."""
    for code, failure in protocol.failures.items():
        session = Trial(protocol)
        session.refused(code)
        is_open = failure["remedy"] in ("repeatCall", "wait", "raiseFloor")
        expect((1 in session.open) == is_open, f"{code} and {session.open}")
        session.line.reply("SetProfile")
        session.call("SetProfile", displayName="Ada")
        floor = session.sent()[-1][2]
        expect(floor == (1 if is_open else 2), f"after {code} the floor is {floor}")


def check_repetition(protocol):
    """A repeated call is the same one, with the same trace; another call has another."""
    session = Trial(protocol)
    session.refused("storageFull")
    session.line.reply("SetProfile")
    session.again(1)
    session.refused("backpressure")
    first, again, other = session.line.sent
    expect(first == again, f"{first} and {again}")
    expect(first[1]["traceHigh"] and first[1]["trace"], "the trace has 128 bits")
    expect(first[1]["trace"] != other[1]["trace"], "two calls have one trace")


def check_resuming(protocol):
    """Resumes, repeats the open calls, joins the match again, and waits for as long as is said."""
    session = Trial(protocol)
    session.refused("unavailable")
    session.sent()
    line = session.line
    session.matches[b"match"] = lambda: session.call("JoinMatch")
    line.answers.append((None, b""))
    line.refuse("rateLimited", after=7_000)
    line.reply("Resume")
    line.refuse("storageFull")
    line.refuse("rateLimited", after=3_000)
    line.reply("SetProfile")
    line.reply("JoinMatch")
    answers = session.resume_patiently()
    expect(list(answers) == [1] and not session.open, f"{answers}")
    calls = [("Resume", 0, 0)] * 3 + [("SetProfile", 1, 1)] * 3 + [("JoinMatch", 2, 2)]
    expect(session.sent() == calls, "other calls than the steps say")
    expect(session.connects == 3 and session.pauses == [0.05, 7, 0.05, 3], f"{session.pauses}")


def check_new_session(protocol):
    """Where the token has ended, another session begins on the same connection."""
    for code in ("sessionExpired", "invalidCredential"):
        session = Trial(protocol)
        session.refused("unavailable")
        session.sent()
        session.line.refuse(code)
        session.line.reply("SignIn")
        expect(session.resume_patiently() == {} and session.connects == 1, "another connection")
        expect([each[0] for each in session.unknown] == ["SetProfile"], f"{session.unknown}")
        session.refused("conflict")
        expect(
            session.sent() == [("Resume", 0, 0), ("SignIn", 0, 0), ("SetProfile", 1, 1)],
            "counters begin at 1")
    session.line.refuse("notAuthenticated")
    try:
        session.resume()
    except Refused:
        expect(session.secret is None and session.place is None, "an erased player is kept")


def check_end(protocol):
    """After the end of the session nobody comes back; one that can be resumed is."""
    for can_resume in (True, False):
        session = Trial(protocol)
        session.line.revoke(can_resume)
        session.line.reply("Resume")
        try:
            session.resume_patiently()
            expect(can_resume, "a revoked session was resumed")
        except Ended:
            expect(not can_resume and session.connects == 0, "it was not the end")


def check_recipe(protocol):
    for check in (check_open_keys, check_repetition, check_resuming, check_new_session, check_end):
        check(protocol)
