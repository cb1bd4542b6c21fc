#!/usr/bin/env python3
"""Decodes a client's golden messages by protocol.json, and encodes them again to the same bytes.

    golden.py --schema protocol.json FILE.golden...

Every truncation is read too: it gives defaults for what is missing, or is malformed. The examples
of the page are read and written in the same way.
"""
import argparse
import sys

from muster_client import Malformed, Protocol
from muster_client.connection import HEADER


def fields_of(protocol, place, opcode, name):
    if place == "event":
        event = protocol.events.get(opcode)
        return event and event["fields"]
    if place == "part":
        return protocol.types.get(name, {}).get("fields")
    operation = next(
        (each for each in protocol.schema["operations"] if each["opcode"] == opcode), None)
    if operation is None or place == "request":
        return operation and operation["fields"]
    return protocol.reply_fields(operation["name"])


def check_golden(protocol, path):
    checked = malformed = 0
    for line in open(path, encoding="utf-8"):
        number, place, name, *rest = line.split()
        data = bytes.fromhex(rest[0]) if rest else b""
        fields = fields_of(protocol, place, None if number == "-" else int(number, 16), name)
        if fields is None:
            continue
        again = protocol.encode_fields(fields, protocol.decode_fields(fields, data))
        if again != data:
            sys.exit(f"{path}: {name} is {again.hex()}, and {data.hex()} was read")
        for count in range(len(data)):
            try:
                protocol.decode_fields(fields, data[:count])
            except Malformed:
                malformed += 1
        checked += 1
    return checked, malformed


def check_example(protocol, example):
    """Reads a frame of the page, compares what it says, and writes it again."""
    data = bytes.fromhex(example["hex"])
    length, version, kind, opcode, correlation = HEADER.unpack_from(data)
    body = again = data[HEADER.size :]
    kind = protocol.schema["frameKinds"][kind]
    said = {"title": example["title"], "kind": kind, "opcode": opcode, "correlation": correlation}
    place = {"event": "event", "request": "request", "reply": "reply", "error": "part"}.get(kind)
    if place:
        fields = fields_of(protocol, place, opcode, "Failure")
        envelope = protocol.types["ClientEnvelope"]["fields"]
        again = b""
        if kind == "request":
            count = int.from_bytes(body[:4], "big")
            values = protocol.decode_fields(envelope, body[4 : 4 + count])
            said["envelope"] = protocol.shown_fields(envelope, values)
            again = protocol.encode_fields(envelope, values)
            again = len(again).to_bytes(4, "big") + again
            body = body[4 + count :]
        values = protocol.decode_fields(fields, body)
        said["value"] = protocol.shown_fields(fields, values)
        again += protocol.encode_fields(fields, values)
        if "inner" in example:
            inner = protocol.events[values["kind"]]["fields"]
            values = protocol.decode_fields(inner, values["body"])
            said["inner"] = protocol.shown_fields(inner, values)
    said["hex"] = (HEADER.pack(length, version, data[5], opcode, correlation) + again).hex()
    if said != example:
        sys.exit(f"{example['title']}\n{example} is read as\n{said}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--schema", required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    protocol = Protocol(options.schema)
    counts = [check_golden(protocol, path) for path in options.files]
    checked, malformed = (sum(count) for count in zip(*counts))
    for example in protocol.schema["examples"]:
        check_example(protocol, example)
    print(
        f"{checked} messages and {len(protocol.schema['examples'])} examples are the same, "
        f"{malformed} truncations are malformed")
    if checked < len(protocol.schema["operations"]):
        sys.exit("messages are missing")


if __name__ == "__main__":
    main()
