"""Values and bytes, by the field lists in protocol.json.

A message is a dict by field names; an enumeration is its number or the name of one; an identifier
and `Bytes` are bytes objects; an absent optional is None.
"""
import json
import struct

SCALARS = {
    "UInt8": ">B", "UInt16": ">H", "UInt32": ">I", "UInt64": ">Q", "Int32": ">i", "Int64": ">q",
    "Double": ">d",
}
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
IDENTIFIER_SIZE = 16


class Malformed(Exception):
    """Bytes that are not what the field list says."""


def identifier_text(identifier):
    number = int.from_bytes(identifier, "big")
    return "".join(ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def identifier(text):
    number = 0
    for character in text:
        number = number << 5 | ALPHABET.index(character)
    return number.to_bytes(IDENTIFIER_SIZE, "big")


class Reader:
    def __init__(self, data, start=0, end=None):
        self.data, self.place, self.end = data, start, len(data) if end is None else end

    @property
    def is_at_end(self):
        return self.place == self.end

    def take(self, count):
        if count > self.end - self.place:
            raise Malformed(f"{count} bytes are wanted, {self.end - self.place} are left")
        self.place += count
        return self.data[self.place - count : self.place]

    def scalar(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def count(self):
        """Every element takes a byte at least, so no larger count is believed."""
        count = self.scalar(">I")
        if count > self.end - self.place:
            raise Malformed(f"a count of {count}, and {self.end - self.place} bytes are left")
        return count


class Protocol:
    """The field lists, and what is read and written by them."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.schema = json.load(file)
        self.types = self.schema["types"]
        self.operations = {each["name"]: each for each in self.schema["operations"]}
        self.events = {each["opcode"]: each for each in self.schema["events"]}
        self.limits = self.schema["limits"]
        self.failures = {each["name"]: each for each in self.schema["failures"]}

    # Bodies: fields without a count.

    def encode_fields(self, fields, values):
        unknown = set(values) - {field["name"] for field in fields}
        if unknown:
            raise KeyError(f"no such fields: {unknown}")
        return b"".join(
            self.encode(field["type"], values[field["name"]])
            if field["name"] in values
            else self.encode(field["type"], self.default(field))
            for field in fields)

    def decode_fields(self, fields, data):
        reader = data if isinstance(data, Reader) else Reader(data)
        # Missing fields have their defaults; bytes behind the last one are of a newer peer.
        return {
            field["name"]: self.default(field) if reader.is_at_end
            else self.decode(field["type"], reader)
            for field in fields}

    def reply_fields(self, operation):
        reply = self.operations[operation]["reply"]
        return self.types[reply]["fields"] if isinstance(reply, str) else reply["fields"]

    def request(self, operation, values):
        return self.encode_fields(self.operations[operation]["fields"], values)

    def reply(self, operation, data):
        return self.decode_fields(self.reply_fields(operation), data)

    def event(self, opcode, data):
        """The name and the fields of an event; None for one that is not known here."""
        event = self.events.get(opcode)
        return event and (event["name"], self.decode_fields(event["fields"], data))

    def message(self, name, data):
        return self.decode_fields(self.types[name]["fields"], data)

    def name(self, enumeration, number):
        """The name of a value; its number where it is a newer server's."""
        names = self.types[enumeration]["values"]
        return names[number] if number < len(names) else number

    def shown(self, kind, value):
        """A value as protocol.json writes it: identifiers as text, bytes in hex, values by name."""
        if isinstance(kind, dict):
            if "list" in kind:
                return [self.shown(kind["list"], element) for element in value]
            return None if value is None else self.shown(kind["optional"], value)
        if kind == "Bytes":
            return value.hex()
        description = self.types.get(kind, {})
        if "identifier" in description:
            return identifier_text(value)
        if "values" in description:
            return self.name(kind, value)
        if "fields" in description:
            return self.shown_fields(description["fields"], value)
        return value

    def shown_fields(self, fields, values):
        return {field["name"]: self.shown(field["type"], values[field["name"]]) for field in fields}

    # Values.

    def default(self, field):
        return field["default"] if "default" in field else self.zero(field["type"])

    def zero(self, kind):
        if isinstance(kind, dict):
            return [] if "list" in kind else None
        if kind in SCALARS:
            return 0
        simple = {"Bool": False, "String": "", "Bytes": b""}
        if kind in simple:
            return simple[kind]
        description = self.types[kind]
        if "identifier" in description:
            return bytes(IDENTIFIER_SIZE)
        if "values" in description:
            return 0
        return {field["name"]: self.default(field) for field in description["fields"]}

    def encode(self, kind, value):
        if isinstance(kind, dict):
            if "list" in kind:
                parts = [self.encode(kind["list"], element) for element in value]
                return struct.pack(">I", len(value)) + b"".join(parts)
            return b"\0" if value is None else b"\1" + self.encode(kind["optional"], value)
        if kind in SCALARS:
            return struct.pack(SCALARS[kind], value)
        if kind == "Bool":
            return b"\1" if value else b"\0"
        if kind in ("String", "Bytes"):
            data = value.encode() if kind == "String" else value
            return struct.pack(">I", len(data)) + data
        description = self.types[kind]
        if "identifier" in description:
            if len(value) != IDENTIFIER_SIZE:
                raise ValueError(f"{kind} has {IDENTIFIER_SIZE} bytes")
            return value
        if "values" in description:
            return bytes([value if isinstance(value, int) else description["values"].index(value)])
        data = self.encode_fields(description["fields"], value)
        return data if description.get("frozen") else struct.pack(">I", len(data)) + data

    def decode(self, kind, reader):
        if isinstance(kind, dict):
            if "list" in kind:
                return [self.decode(kind["list"], reader) for _ in range(reader.count())]
            return self.decode(kind["optional"], reader) if self.flag(reader) else None
        if kind in SCALARS:
            return reader.scalar(SCALARS[kind])
        if kind == "Bool":
            return self.flag(reader)
        if kind == "Bytes":
            return reader.take(reader.count())
        if kind == "String":
            try:
                return reader.take(reader.count()).decode()
            except UnicodeDecodeError as error:
                raise Malformed(str(error)) from error
        description = self.types[kind]
        if "identifier" in description:
            return reader.take(IDENTIFIER_SIZE)
        if "values" in description:
            return reader.scalar(">B")
        if description.get("frozen"):
            return {
                field["name"]: self.decode(field["type"], reader)
                for field in description["fields"]}
        count = reader.count()
        inner = Reader(reader.data, reader.place, reader.place + count)
        reader.place += count
        return self.decode_fields(description["fields"], inner)

    @staticmethod
    def flag(reader):
        byte = reader.scalar(">B")
        if byte > 1:
            raise Malformed(f"{byte} is no Bool")
        return byte == 1
