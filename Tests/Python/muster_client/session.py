"""A player's session, by the recipes of protocol.md: keys, repeated calls, events, resuming."""
import os
import time

from .codec import Malformed
from .connection import ERROR, Connection, Lost


# The remedies after which the same call is made again, so that its key stays open.
REPEATED = ("repeatCall", "wait", "raiseFloor")


class Refused(Exception):
    """`counter` is that of the call's key, None without one."""

    def __init__(self, code, failure, remedy, counter=None):
        super().__init__(f"{code} ({failure['argument']}): {failure['text']}")
        self.code, self.failure, self.remedy, self.counter = code, failure, remedy, counter


class Ended(Exception):
    """The session was revoked and cannot be resumed: nobody comes back by itself."""


class Session:
    """`careful` takes every pushed event as a hint alone, and reads instead."""

    def __init__(self, protocol, host, port, authority, game, careful=False):
        self.protocol, self.game, self.careful = protocol, game, careful
        self.address = host, port, authority
        self.connection = None
        self.token = self.player = self.device = self.secret = None
        self.limits = protocol.limits
        self.counter = 0
        # The calls with a key that are not answered: counter -> (operation, body, trace).
        self.open = {}
        self.unknown = []  # the open calls of sessions that have ended: (operation, body)
        self.matches = {}  # context -> what calls `JoinMatch` again, with the match's number
        self.refusal = None  # the last one of what `resume_patiently` tries
        self.end = None  # the `SessionRevoked` after which the session cannot be resumed
        self.place = self.place_id = None  # the last event that was handled: its number and id
        self.handled = []  # (sequence, (name, fields)) of events that `events` has not given yet
        self.gaps = []  # (first, last) of what another device has acknowledged: it may be gone
        self.places_lost = []  # what the server has said
        self.hints = []
        self.others = []  # events that are in no stream, such as match data

    # Calls

    def envelope(self, counter, deadline=0):
        floor = min([counter, *self.open]) if counter else 0
        trace = self.open[counter][2] if counter in self.open else os.urandom(16)
        data = self.protocol.encode_fields(
            self.protocol.types["ClientEnvelope"]["fields"],
            {
                "traceHigh": int.from_bytes(trace[:8], "big"),
                "trace": int.from_bytes(trace[8:], "big"),
                "deadlineMilliseconds": deadline,
                "idempotency": {"instance": 0, "counter": counter, "floor": floor},
            })
        return len(data).to_bytes(4, "big") + data

    def send(self, operation, counter=None, **values):
        """Sends a call without waiting; returns the ticket that `result` takes."""
        description = self.protocol.operations[operation]
        body = self.protocol.request(operation, values)
        if counter is None and description["key"] != "none":
            self.counter += 1
            counter = self.counter
        if counter:
            self.open[counter] = operation, body, os.urandom(16)
        correlation = self.connection.request(
            description["opcode"], self.envelope(counter or 0) + body)
        return correlation, operation, counter

    def result(self, ticket, seconds=30):
        correlation, operation, counter = ticket
        kind, body = self.connection.wait(correlation, seconds)
        if kind == ERROR:
            failure = self.protocol.message("Failure", body)
            code = self.protocol.name("FailureCode", failure["code"])
            remedy = self.protocol.failures.get(code, {}).get("remedy", "changeCall")
            if remedy not in REPEATED:
                self.give_up(counter)
            raise Refused(code, failure, remedy, counter)
        self.give_up(counter)
        return self.protocol.reply(operation, body)

    def give_up(self, counter):
        """The call is not made again: the floor may pass its key."""
        self.open.pop(counter, None)

    def call(self, operation, counter=None, **values):
        return self.result(self.send(operation, counter, **values))

    def again(self, counter):
        """Makes an open call again, with the same key, the same bytes and the same trace."""
        operation, body, _ = self.open[counter]
        correlation = self.connection.request(
            self.protocol.operations[operation]["opcode"], self.envelope(counter) + body)
        return self.result((correlation, operation, counter))

    # The life of the session

    def connect(self):
        if self.connection:
            self.look_for_end()
            self.connection.close()
        if self.end:
            raise Ended(self.end["text"])
        self.connection = self.connected()

    def connected(self):
        return Connection(*self.address, self.limits)

    def sign_up(self, name):
        self.connect()
        credential = self.call("SignUp", attempt=os.urandom(16), displayName=name)
        self.player, self.device = credential["player"], credential["device"]
        self.secret = credential["secret"]

    def sign_in(self):
        """Begins a session, in which calls are counted from 1."""
        self.end = None
        if self.connection is None:
            self.connect()
        # Whether they ran is not known: the game reads what they were about.
        self.unknown += [call[:2] for call in self.open.values()]
        self.counter, self.open = 0, {}
        return self.begin(
            "SignIn", game=self.game, player=self.player, device=self.device, secret=self.secret)

    def resume(self):
        """Connects anew and takes the session up, or begins another one where it has expired. What
        was missed waits in `events`."""
        self.connect()
        try:
            return self.begin("Resume", token=self.token)
        except Refused as error:
            if error.code not in ("sessionExpired", "invalidCredential"):
                raise
        return self.sign_in()

    def begin(self, operation, **values):
        try:
            started = self.call(operation, **values, **self.cursor())
        except Refused as error:
            if error.code == "notAuthenticated":
                # The player was erased.
                self.player = self.device = self.secret = self.token = None
                self.place = self.place_id = None
            if error.code != "cursorLost":
                raise
            self.lose_place(error)
            started = self.call(operation, **values)
        self.token, self.instance = started["token"], started["instance"]
        self.limits = {**self.protocol.limits, **started["limits"]}
        self.connection.limits = self.limits
        if self.place is None:
            self.place = started["acknowledged"]
        self.miss(started["removedThrough"])
        # Events that came before the reply were held.
        self.take()
        if started["replayedThrough"] >= self.place and not self.careful:
            self.place, self.place_id = started["replayedThrough"], started["replayedEvent"]
        if started["replayedThrough"] < started["streamEnd"] or self.careful:
            self.read_on()
        return started

    def lose_place(self, error):
        """Forgets the place, which is none of the server's stream."""
        ends = self.protocol.message("StreamEnds", error.failure["detail"])
        self.places_lost.append(f"{self.place}: {error}, {ends}")
        self.place = self.place_id = None

    def cursor(self):
        if self.place_id is None or not any(self.place_id):
            return {"cursor": 0} if self.place == 0 else {}
        return {"cursor": self.place, "cursorEvent": self.place_id}

    def resume_patiently(self, seconds=60):
        """Resumes as often as it takes, repeats the open calls and joins the matches again.
        Returns the calls' answers."""
        end = time.monotonic() + seconds
        answers, self.refusal = {}, None
        self.patiently(end, (Lost, TimeoutError), self.resume)
        while True:
            try:
                for counter in sorted(self.open):
                    answers[counter] = self.patiently(end, (), lambda: self.again(counter))
                    self.refusal = None
                for join in list(self.matches.values()):
                    join()
                return answers
            except (Lost, TimeoutError):
                self.patiently(end, (Lost, TimeoutError), self.resume)

    def patiently(self, end, passing, action):
        """Tries until a time, after pauses that double or are as long as a refusal says. What is
        raised then has the last refusal as its cause, where another failure came after it: whether
        it still holds, nobody knows."""
        pause = 0.05
        while True:
            wait = pause
            try:
                return action()
            except passing as error:
                reason = error
            except Refused as error:
                if error.remedy not in ("repeatCall", "raiseFloor"):
                    raise
                reason = self.refusal = error
                wait = error.failure["retryAfterMilliseconds"] / 1000 or pause
            if time.monotonic() + wait > end:
                raise reason from (self.refusal if self.refusal is not reason else None)
            self.rest(wait)
            pause = min(pause * 2, 1)

    def rest(self, seconds):
        time.sleep(seconds)

    def look_for_end(self):
        """Looks through what was pushed and is not taken yet."""
        for opcode, body in self.connection.events:
            name, fields = self.protocol.event(opcode, body) or (None, None)
            self.note_end(name, fields)

    def note_end(self, name, fields):
        if name == "SessionRevoked" and not fields["canResume"]:
            self.end = fields

    # Events

    def events(self):
        """The stream's events that are new, in order, each once."""
        self.take()
        handled, self.handled = self.handled, []
        return handled

    def take(self):
        """Takes what was pushed, in order. What comes while a reading is open is held meanwhile."""
        while self.connection.events:
            name, fields = self.protocol.event(*self.connection.events[0]) or (None, None)
            if name == "StreamEvent" and fields["sequence"] > self.place:
                if self.careful or fields["after"] > self.place:
                    self.read_on()
                    continue  # It is taken again: now it is not above the place.
                self.handle(fields)
            self.connection.events.popleft()
            self.note_end(name, fields)
            if name == "HintEvent":
                self.hints.append(self.protocol.event(fields["kind"], fields["body"]))
            elif name == "SessionRenewed":
                self.token = fields["token"]
            elif name not in (None, "StreamEvent"):
                self.others.append((name, fields))

    def handle(self, event):
        try:
            inner = self.protocol.event(event["kind"], event["body"])
        except Malformed:
            inner = None
        self.handled.append((event["sequence"], inner))
        self.place, self.place_id = event["sequence"], event["id"]

    def miss(self, removed):
        """Notes that events are gone which another device has acknowledged."""
        if self.place < removed:
            self.gaps.append((self.place + 1, removed))

    def read_on(self, limit=100):
        """Reads the stream from the place to its end."""
        while True:
            try:
                page = self.call(
                    "ReadEvents", after=self.place, afterEvent=self.place_id or bytes(16),
                    limit=limit)
            except Refused as error:
                if error.code != "cursorLost":
                    raise
                # This connection has a session: only another one can resume it.
                self.lose_place(error)
                self.connection.events.clear()
                self.connection.close()
                raise Lost("the place is none of the stream") from error
            self.miss(page["removedThrough"])
            for event in page["events"]:
                if event["sequence"] > self.place:
                    self.handle(event)
            if page["through"] > self.place:
                self.place, self.place_id = page["through"], page["throughEvent"]
            if not page["more"]:
                return

    def wait_for_event(self, name, seconds=15):
        """The fields of the next event of a kind; those before it in the stream are dropped."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            events = self.events()
            for place, (_, event) in enumerate(events):
                if event and event[0] == name:
                    self.handled = events[place + 1 :]
                    return event[1]
            for place, (kind, fields) in enumerate(self.others):
                if kind == name:
                    del self.others[place]
                    return fields
            self.connection.read(0.2)
        raise TimeoutError(f"no {name} came")
