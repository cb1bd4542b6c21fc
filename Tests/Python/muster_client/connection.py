"""Frames over one TLS connection. One thread; whoever waits reads what comes for all."""
import collections
import select
import socket
import ssl
import struct
import time

HEADER = struct.Struct(">IBBHI")
REQUEST, REPLY, ERROR, EVENT, PING = range(5)


class Lost(Exception):
    """The connection is closed, or was never made."""


class Connection:
    def __init__(self, host, port, authority, limits, name=None, timeout=15):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_verify_locations(authority)
        context.set_alpn_protocols(["muster/1"])
        try:
            plain = socket.create_connection((host, port), timeout)
            self.socket = context.wrap_socket(plain, server_hostname=name or host)
        except OSError as error:
            raise Lost(f"cannot connect: {error}") from error
        if self.socket.selected_alpn_protocol() != "muster/1":
            raise Lost("the server does not speak muster/1")
        self.limits = limits
        self.buffer = bytearray()
        self.correlation = 0
        self.answers = {}
        self.events = collections.deque()
        self.stray = []
        self.wrote = self.heard = time.monotonic()
        self.pinged = None  # when, unless something has come since

    # Out

    def send_bytes(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Lost(f"cannot write: {error}") from error
        self.wrote = time.monotonic()

    def send(self, kind, opcode, correlation, body=b""):
        self.send_bytes(HEADER.pack(8 + len(body), 1, kind, opcode, correlation) + body)

    def request(self, opcode, body):
        self.correlation = self.correlation % 0xFFFFFFFF + 1
        self.send(REQUEST, opcode, self.correlation, body)
        return self.correlation

    def ping(self):
        self.send(PING, 0, 1)

    # In

    def wait(self, correlation, seconds=30):
        """The kind and the body of the answer."""
        self.read_until(lambda: correlation in self.answers, seconds)
        return self.answers.pop(correlation)

    def read_until(self, is_done, seconds):
        end = time.monotonic() + seconds
        while not is_done():
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"nothing came for {seconds} seconds")
            self.read(min(left, 1))

    def read(self, seconds):
        """Takes what comes within a time, and keeps the connection alive."""
        if self.socket.fileno() < 0:
            raise Lost("the connection was closed here")
        quarter = self.limits["idleMilliseconds"] / 4000
        if self.pinged is None and time.monotonic() - min(self.wrote, self.heard) > quarter:
            self.ping()
            self.pinged = time.monotonic()
        try:
            if not self.socket.pending() and not select.select([self.socket], [], [], seconds)[0]:
                if self.pinged is not None and time.monotonic() - self.pinged > quarter:
                    raise Lost("nothing comes, and no answer to a ping")
                return
            data = self.socket.recv(1 << 16)
        except OSError as error:
            raise Lost(f"cannot read: {error}") from error
        if not data:
            raise Lost("the server closed the connection")
        self.heard, self.pinged = time.monotonic(), None
        self.buffer += data
        while self.take_frame():
            pass

    def take_frame(self):
        if len(self.buffer) < HEADER.size:
            return False
        length, version, kind, opcode, correlation = HEADER.unpack_from(self.buffer)
        is_in_bounds = 8 <= length <= self.limits["receivedFrameBytesMax"] - 4
        if not is_in_bounds or version != 1 or kind > PING:
            raise Lost(f"framing is lost: {bytes(self.buffer[:12]).hex()}")
        if len(self.buffer) < 4 + length:
            return False
        body = bytes(self.buffer[HEADER.size : 4 + length])
        del self.buffer[: 4 + length]
        if kind == EVENT:
            self.events.append((opcode, body))
        elif kind == PING and correlation:
            self.send(PING, 0, 0)
        elif kind in (REPLY, ERROR) and correlation:
            self.answers[correlation] = kind, body
        else:
            self.stray.append((kind, opcode, correlation, body))
        return True

    # The end

    def close(self):
        try:
            self.socket.close()
        except OSError:
            pass

    def cut(self):
        """Ends the connection as a network does: nothing is said."""
        try:
            self.socket.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass
        self.close()
