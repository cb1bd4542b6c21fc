public import Wire

/// From any service, once and beside the outbox: pushes a hint to every device of `player` that is
/// connected in the caller's game.
///
/// Errors: `invalidArgument` (body), `rateLimited`: the player is told so much that this one is
/// dropped. Cost: a look-up and a push for each device.
public struct DeliverHint: EventDelivery {
  public static let opcode = Opcode(.request, 0x07)
  public static var isReadOnly: Bool { true }
  public var player = PlayerID()
  /// The opcode of the event's message.
  public var kind: UInt16 = 0
  public var body = Bytes()
  public init() {}

  public var fault: Failure? {
    if body.array.count <= HintLimits.bytesMax { return nil }
    return Failure(
      .invalidArgument, argument: "body", "A hint has at most \(HintLimits.bytesMax) bytes.")
  }
}

/// Something that a player may want to know now, on any device. It is told at most once: read what
/// it is about, also when a session begins.
public struct HintEvent: Event {
  public static let opcode = Opcode(.request, 0xE2)
  /// The opcode of the event's message, which `body` holds.
  public var kind: UInt16 = 0
  public var body = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("kind", &kind)
    visit.field("body", &body)
  }
}

public enum HintLimits {
  /// Bytes of a hint's event: it says what to look at, and not all of what is there.
  public static let bytesMax = 1_024
  /// Hints that a player gets in a row, from all services; those over it are dropped, but for
  /// hints about presence, which have a budget of their own and come later. A player who
  /// acts on two devices makes a few a second.
  public static let burst: Int64 = 64
  /// After the burst, one hint in so long: ten a second.
  public static let refillMilliseconds: Int64 = 100
}
