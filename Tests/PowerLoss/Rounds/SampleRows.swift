public import Domain
public import Wire

/// A resident row with a key of two parts and a field of every kind of column.
public struct ScoreRow: Row {
  public struct Key: Message, Hashable {
    public var board = ""
    public var player: Int64 = 0

    public init() {}
    public init(board: String, player: Int64) {
      self.board = board
      self.player = player
    }

    public static var isFrozen: Bool { true }
    public mutating func fields<V: FieldVisitor>(_ visit: inout V) {
      visit.field("board", &board)
      visit.field("player", &player)
    }
  }

  public var key = Key()
  public var score: Int64 = 0
  public var accuracy: Double = 0
  public var name = ""
  public var note: String?
  /// May be above `Int64.max`.
  public var session: UInt64 = 0
  public var payload = Bytes()

  public init() {}
  public static var tableID: UInt16 { 100 }
  public static var tableName: String { "score" }
  public mutating func fields<V: FieldVisitor>(_ visit: inout V) {
    visit.field("key", &key)
    visit.field("score", &score)
    visit.field("accuracy", &accuracy)
    visit.field("name", &name)
    visit.field("note", &note)
    visit.field("session", &session)
    visit.field("payload", &payload)
  }
}

/// A cold row, read by ranges of its key.
public struct AttemptRow: Row {
  public struct Key: Message, Hashable {
    public var player: UInt64 = 0
    public var text = ""
    public var number: Int64 = 0

    public init() {}
    public init(player: UInt64, text: String = "", number: Int64) {
      self.player = player
      self.text = text
      self.number = number
    }

    public static var isFrozen: Bool { true }
    public mutating func fields<V: FieldVisitor>(_ visit: inout V) {
      visit.field("player", &player)
      visit.field("text", &text)
      visit.field("number", &number)
    }
  }

  public var key = Key()
  public var value: Int64 = 0
  public var body = Bytes()

  public init() {}
  public init(_ key: Key, value: Int64) {
    self.key = key
    self.value = value
  }
  public static var tableID: UInt16 { 101 }
  public static var tableName: String { "attempt" }
  public mutating func fields<V: FieldVisitor>(_ visit: inout V) {
    visit.field("key", &key)
    visit.field("value", &value)
    visit.field("body", &body)
  }
}

public let sampleTables = [
  TableDescription(ScoreRow.self), TableDescription(AttemptRow.self, .cold),
]
