public import Wire

/// Sent by the operator: erases a player, for good (rule 7.3). The player's sessions end at once,
/// and within a minute nothing personal is left in any service: no name, photo, message or
/// identity, and the id neither, but in the list of those who are erased. What belongs to others
/// too, such as a match that was played, goes on with a random id in the player's place.
///
/// Any id can be erased, also one that the request service does not know or knows no more: another
/// service may keep something of the player. Repeating the call changes nothing.
///
/// A call of somebody else that names the player gets the answer from then on that it would get for
/// an id that never was; nothing of the player is listed after it.
///
/// Errors: `requiredArgument` (player). Cost: an effect on each slot of all
/// services, and a pass over all their rows.
public struct ErasePlayer: Operation {
  public static let opcode = Opcode(.request, 0x94)
  public typealias Reply = Empty
  public static var access: Access { .deploymentOperator }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public init() {}
  public init(_ player: PlayerID) { self.player = player }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }

  public var fault: Failure? {
    if !player.isNil { return nil }
    return Failure(.requiredArgument, argument: "player", "Who is erased?")
  }
}

/// Erases the calling player, as `ErasePlayer` does. With the answer the session is over: sign out,
/// or close the connection, and forget the credential.
///
/// Errors: `invalidArgument` (confirmed: no game erases a player by mistake); `banned` (an identity
/// of an erased player is free to come back); `rateLimited` (many players are being erased);
/// `notAuthenticated` (the player is erased already). Cost: that of `ErasePlayer`.
public struct EraseMyself: Operation {
  public static let opcode = Opcode(.request, 0x95)
  public typealias Reply = Empty
  public static var access: Access { .player }
  public static var routing: Routing { .principal }
  /// The caller's own id: the player was asked, and has said yes.
  public var confirmed = PlayerID()
  public init() {}
  public init(confirmed: PlayerID) { self.confirmed = confirmed }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("confirmed", &confirmed)
  }
}
