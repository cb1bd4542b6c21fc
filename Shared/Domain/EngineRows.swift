public import Wire

// The tables that every service has, whatever its domain: numbers below 16.

public struct ReplyKey: RowKey {
  /// The slot at which the call ran.
  public var slot: UInt16 = 0
  public var instance: UInt64 = 0
  public var counter: UInt64 = 0
  public init() {}
  public init(slot: UInt16, instance: UInt64, counter: UInt64) {
    self.slot = slot
    self.instance = instance
    self.counter = counter
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("slot", &slot)
    visit.field("instance", &instance)
    visit.field("counter", &counter)
  }
}

/// The answer to a call that changed something, kept until the client says it has it.
public struct ReplyRow: Row {
  public static let tableID: UInt16 = 1
  public static let tableName = "reply"
  public static var isWrittenOnce: Bool { true }
  public var key = ReplyKey()
  /// The client's floor at this call; the newest row of an instance carries the one in force.
  public var floor: UInt64 = 0
  public var opcode: UInt16 = 0
  public var bodyHash: UInt64 = 0
  public var time: Int64 = 0
  public var reply = Bytes()
  /// Who called; nil for a caller that is no player.
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("floor", &floor)
    visit.field("opcode", &opcode)
    visit.field("bodyHash", &bodyHash)
    visit.field("time", &time)
    visit.field("reply", &reply)
    visit.field("player", &player)
  }
}

/// Up to which call the answers to an instance were forgotten before its client said that it has
/// them, so that those calls do not run again: its session has ended, or it made room for another
/// instance of its player. There is none while an answer is remembered, whose row has the floor.
public struct FloorRow: Row {
  public static let tableID: UInt16 = 8
  public static let tableName = "floor"
  /// The instance.
  public var key: UInt64 = 0
  /// Calls below it are refused; the greatest of all numbers once the session has ended.
  public var floor: UInt64 = 0
  /// When the session ended, or when the last call before was answered.
  public var time: Int64 = 0
  /// Who called; nil for a caller that is no player.
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("instance", &key)
    visit.field("floor", &floor)
    visit.field("time", &time)
    visit.field("player", &player)
  }
}

public struct OutboxKey: RowKey, Comparable {
  public var slot: UInt16 = 0
  public var sequence: UInt64 = 0
  public init() {}
  public init(slot: UInt16, sequence: UInt64) {
    self.slot = slot
    self.sequence = sequence
  }
  public static func < (left: Self, right: Self) -> Bool {
    (left.slot, left.sequence) < (right.slot, right.sequence)
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("slot", &slot)
    visit.field("sequence", &sequence)
  }
}

/// One source of effects as seen by one of our slots. Slots, not processes, so that it stays true
/// when slots move between processes.
public struct InboxKey: RowKey {
  public var service: UInt8 = 0
  public var store = StoreID()
  public var sourceSlot: UInt16 = 0
  public var slot: UInt16 = 0
  public init() {}
  public init(source: EffectSource, slot: Int) {
    service = source.service
    store = source.store
    sourceSlot = source.slot
    self.slot = UInt16(slot)
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("service", &service)
    visit.field("store", &store)
    visit.field("sourceSlot", &sourceSlot)
    visit.field("slot", &slot)
  }
}

/// How far a source's effects were applied.
public struct InboxRow: Row {
  public static let tableID: UInt16 = 4
  public static let tableName = "inbox"
  public var key = InboxKey()
  public var sequence: UInt64 = 0
  public var incarnation: UInt64 = 0
  /// Of the source's `RestoreRow`.
  public var restored: UInt64 = 0
  /// When the last of them was applied; 0 in a row of an older version.
  public var time: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("sequence", &sequence)
    visit.field("incarnation", &incarnation)
    visit.field("restored", &restored)
    visit.field("time", &time)
  }
}

public struct RefusedKey: RowKey {
  public var source = InboxKey()
  public var incarnation: UInt64 = 0
  public var sequence: UInt64 = 0
  public init() {}
  init(source: InboxKey, _ number: EffectNumber) {
    self.source = source
    incarnation = number.incarnation
    sequence = number.sequence
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("source", &source)
    visit.field("incarnation", &incarnation)
    visit.field("sequence", &sequence)
  }
}

/// An effect that was refused here, so that a repeated one gets the same answer.
public struct RefusedRow: Row {
  public static let tableID: UInt16 = 5
  public static let tableName = "refused_effect"
  public var key = RefusedKey()
  public var code = FailureCode()
  public var text = ""
  public var time: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("code", &code)
    visit.field("text", &text)
    visit.field("time", &time)
  }
}

extension NumberSetting {
  /// A month for an operator to look at a parked effect, which may hold what players wrote; and far
  /// longer than any sender that still runs takes to repeat one that was refused.
  public static let refusedEffectKept = NumberSetting(
    "refused-effect-days", .days, default: 30, 1...3650,
    "How long an effect that its receiver refused is kept, there and at its sender.")
}

/// How much of what became of refused effects is kept, on both sides.
public enum EffectLimits {
  /// Stores of one lane whose effects are told apart: the one that has the lane and those before
  /// it. A fifth one makes the one that was heard longest ago unknown.
  static let laneStoresMax = 4
  /// How long it is known what a store has told whose lane another one has since: for longer than
  /// any backup is of use that is put back, and any effect is held by its sender.
  static let supersededKeptMilliseconds: Int64 = 90 * 86_400_000
  /// Players can cause refusals, by writing to somebody who is gone: past this many the oldest make
  /// room. At some 200 bytes each they are 13 MB.
  public static let parkedCountMax = 1 << 16
  /// Their keys and reasons are in memory: as many as are parked elsewhere. An effect that is
  /// repeated after it was forgotten here counts as applied, and is then not parked.
  public static let refusedCountMax = 1 << 16
  /// Confirmed effects that are kept for stores which are put back: past this many the oldest make
  /// room. Their keys are in memory, 8 MB of them. Beside them are those that are sent again after
  /// a restore, as many at most.
  public static let retainedCountMax = 1 << 18
  /// The bytes of their rows, which are on the disk, and after a restore in memory until they are
  /// sent: as many as the most of them have at some 200 bytes each. Past this the oldest make room.
  public static let retainedBytesMax = 64 << 20
  /// Of these, how many one step of `MaintainEngine` removes: nothing is read for it.
  static let forgottenRetainedPerStep = 1024
  /// Rows of a table that one step of `MaintainEngine` removes, or dates.
  static let forgottenPerStep = 64
  /// Rows removed when one is added: two, so that a bound that was lowered is reached.
  static let forgottenPerAddition = 2
}
