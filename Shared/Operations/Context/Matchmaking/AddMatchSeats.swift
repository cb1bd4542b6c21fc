public import Wire

/// An effect on a context: gives players seats in the running match of it, and makes them active in
/// the context. All of them get one or nobody does. The answer is a `MatchSeatsAnswered` on
/// `answerTo`, also when the effect comes twice under another number.
///
/// Refused in the answer: when the match is not the one of that number, has ended, has no room, or
/// when anybody has a seat in it who is not among `present`, or is among `players`.
///
/// Cost: one context row and one match row, an effect for each player of the context.
public struct AddMatchSeats: Operation {
  public static let opcode = Opcode(.context, 0x88)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The number of the match.
  public var number: UInt64 = 0
  public var players: [PlayerID] = []
  /// The players with whom `players` were put together.
  public var present: [PlayerID] = []
  public var answerTo = RoutingKey()
  /// What the answer names.
  public var request = ContextID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("players", &players)
    visit.field("present", &present)
    visit.field("answerTo", &answerTo)
    visit.field("request", &request)
  }
}

/// The answer to an `AddMatchSeats`.
///
/// Cost: as the last `MatchConfirmed`.
public struct MatchSeatsAnswered: Operation {
  public static let opcode = Opcode(.context, 0x89)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  /// The queue, or the inviter.
  public var key = RoutingKey()
  public var request = ContextID()
  public var isGiven = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("request", &request)
    visit.field("isGiven", &isGiven)
  }
}
