public import Wire

/// An effect of the request service on a player's list: the player blocks another one from now on,
/// or does not any more. The contexts of the two, in all games, are closed for both; an unblocked
/// one may open them again.
///
/// Cost: a row, and an effect for each game in which the two have a context.
public struct RecordBlock: Operation {
  public static let opcode = Opcode(.context, 0x29)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  /// Who blocks.
  public var player = PlayerID()
  public var other = PlayerID()
  public var isBlocked = false
  /// When the player said so, in milliseconds since 1970; of the clock that `FetchPlayer` tells.
  public var time: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("other", &other)
    visit.field("isBlocked", &isBlocked)
    visit.field("time", &time)
  }
}
