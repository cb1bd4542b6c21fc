public import Wire

// The tables that keep effects. What an effect is they have in common; what became of it is a
// column of the one table.

/// An effect of this store.
public struct StoredEffect: Sendable, Equatable {
  public var key = OutboxKey()
  public var opcode: UInt16 = 0
  public var routingKey = RoutingKey()
  public var game = ""
  public var body = Bytes()
  /// The life of the store in which it was made; see `EffectNumber`.
  public var incarnation: UInt64 = 0
  /// That of what has led to it; nil in a row of an older version.
  public var trace = TraceID()
  public init() {}

  /// About how many bytes a row of it has.
  var byteCount: Int { Self.fixedBytes + game.utf8.count + body.array.count }
  /// Those of numbers, counts and a time.
  private static let fixedBytes = 76

  /// Visits the fields with which the rows of every table begin. `incarnation` and `trace` came
  /// later, to the end that each table had by then: its row names the place.
  @inlinable
  public mutating func leadingFields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("opcode", &opcode)
    visit.field("routingKey", &routingKey)
    visit.field("game", &game)
    visit.field("body", &body)
  }
}

/// A row of a table that keeps effects: it has the fields of its effect.
@dynamicMemberLookup
public protocol EffectRow: Row where Key == OutboxKey {
  var effect: StoredEffect { get set }
}

extension EffectRow {
  @inlinable
  public var key: OutboxKey {
    get { effect.key }
    set { effect.key = newValue }
  }

  @inlinable
  public subscript<Value>(dynamicMember field: WritableKeyPath<StoredEffect, Value>) -> Value {
    get { effect[keyPath: field] }
    set { effect[keyPath: field] = newValue }
  }
}

/// An effect that its receiver has not yet confirmed.
public struct OutboxRow: EffectRow {
  public static let tableID: UInt16 = 2
  public static let tableName = "outbox"
  public static var isWrittenOnce: Bool { true }
  public var effect = StoredEffect()
  /// Since when it is open; 0 in a row of an older version.
  public var time: Int64 = 0
  public init() {}
  init(_ effect: StoredEffect, time: Int64) {
    self.effect = effect
    self.time = time
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    effect.leadingFields(&visit)
    visit.field("incarnation", &effect.incarnation)
    visit.field("trace", &effect.trace)
    visit.field("time", &time)
  }
}

/// An effect that its receiver refused for good: kept for the operator to look at.
public struct ParkedRow: EffectRow {
  public static let tableID: UInt16 = 3
  public static let tableName = "parked_effect"
  public var effect = StoredEffect()
  public var failureCode = FailureCode()
  public var failureText = ""
  public var time: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    effect.leadingFields(&visit)
    visit.field("failureCode", &failureCode)
    visit.field("failureText", &failureText)
    visit.field("time", &time)
    visit.field("incarnation", &effect.incarnation)
    visit.field("trace", &effect.trace)
  }
}

/// An effect that its receiver has confirmed: it is sent again when stores were put back from
/// backups, since the receiver may have forgotten it.
public struct RetainedRow: EffectRow {
  public static let tableID: UInt16 = 10
  public static let tableName = "retained_effect"
  public static let formerTableName: String? = "held_effect"
  public static var isWrittenOnce: Bool { true }
  public var effect = StoredEffect()
  /// When it was confirmed.
  public var time: Int64 = 0
  public init() {}
  init(_ effect: StoredEffect, time: Int64) {
    self.effect = effect
    self.time = time
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    effect.leadingFields(&visit)
    visit.field("incarnation", &effect.incarnation)
    visit.field("time", &time)
    visit.field("trace", &effect.trace)
  }
}
