import Wire

// Messages that exist only here, one for every kind of field, and pairs of an older and a newer
// peer.

struct Point: Message, Hashable {
  var x: Int32 = 0
  var y: UInt16 = 0
  static var isFrozen: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("x", &x)
    visit.field("y", &y)
  }
}

struct Colour: OpenEnum {
  var rawValue: UInt8
  static let red = Self(rawValue: 1)
  static let names = ["none", "red"]
}

struct Inner: Message {
  var name = ""
  var points: [Point] = []
  var isOpen = false
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("name", &name)
    visit.field("points", &points)
    visit.field("isOpen", &isOpen)
  }
}

struct Everything: Message {
  var small: UInt8 = 0
  var short: UInt16 = 0
  var word: UInt32 = 0
  var long: UInt64 = 0
  var signed: Int32 = 0
  var signedLong: Int64 = 0
  var flag = false
  var real = 0.0
  var text = ""
  var bytes = Bytes()
  var player = PlayerID()
  var colour = Colour()
  var point = Point()
  var inner = Inner()
  var maybeText: String?
  var maybeInner: Inner?
  var numbers: [UInt64] = []
  var inners: [Inner] = []
  var maybes: [UInt16?] = []
  var maybeList: [String]?
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("small", &small)
    visit.field("short", &short)
    visit.field("word", &word)
    visit.field("long", &long)
    visit.field("signed", &signed)
    visit.field("signedLong", &signedLong)
    visit.field("flag", &flag)
    visit.field("real", &real)
    visit.field("text", &text)
    visit.field("bytes", &bytes)
    visit.field("player", &player)
    visit.field("colour", &colour)
    visit.field("point", &point)
    visit.field("inner", &inner)
    visit.field("maybeText", &maybeText)
    visit.field("maybeInner", &maybeInner)
    visit.field("numbers", &numbers)
    visit.field("inners", &inners)
    visit.field("maybes", &maybes)
    visit.field("maybeList", &maybeList)
  }
}

/// `Leaf` and `Tree` as an older peer knows them.
enum Old {
  struct Leaf: Message {
    var name = "old"
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("name", &name)
    }
  }

  struct Branch: Message {
    var leaf = Leaf()
    var leaves: [Leaf] = []
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("leaf", &leaf)
      visit.field("leaves", &leaves)
    }
  }

  struct Root: Message {
    var branch = Branch()
    var maybe: Branch?
    var count: UInt16 = 0
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("branch", &branch)
      visit.field("maybe", &maybe)
      visit.field("count", &count)
    }
  }
}

/// The same with a field more at every level.
enum New {
  struct Leaf: Message {
    var name = "old"
    var height: UInt32 = 7
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("name", &name)
      visit.field("height", &height)
    }
  }

  struct Branch: Message {
    var leaf = Leaf()
    var leaves: [Leaf] = []
    var note: String? = "none"
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("leaf", &leaf)
      visit.field("leaves", &leaves)
      visit.field("note", &note)
    }
  }

  struct Root: Message {
    var branch = Branch()
    var maybe: Branch?
    var count: UInt16 = 0
    var tail: [Leaf] = [Leaf()]
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("branch", &branch)
      visit.field("maybe", &maybe)
      visit.field("count", &count)
      visit.field("tail", &tail)
    }
  }
}

/// The wire form of one value.
func encoded<Value: FieldValue>(_ value: Value) -> [UInt8] {
  var writer = Writer()
  value.encode(to: &writer)
  return writer.bytes
}

/// A value from exactly these bytes.
func decoded<Value: FieldValue>(_ bytes: [UInt8], as type: Value.Type = Value.self)
  throws(WireError) -> Value
{
  try Reader.read(bytes) { Value.decode(from: &$0) }.get()
}

/// The wire form of each field of a message.
struct FieldSplitter: FieldVisitor {
  var fields: [[UInt8]] = []

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    fields.append(encoded(value))
  }

  static func split<M: Message>(_ message: M) -> [[UInt8]] {
    var splitter = FieldSplitter()
    var copy = message
    copy.fields(&splitter)
    return splitter.fields
  }
}

func split<E: Message>(_ type: E.Type, _ body: [UInt8]) throws(WireError) -> (
  envelope: E, operation: [UInt8]
) {
  try unsafe Enveloped.split(type, body.span.bytes)
}
