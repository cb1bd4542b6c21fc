public import Wire

/// Sent by the operator: erases a player, for good (rule 7.3). The player's sessions end at once,
/// and within a minute nothing personal is left in any service: no name, photo, message or
/// identity, and the id neither, but in the list of those who are erased. What belongs to others
/// too, such as a match that was played, goes on with a random id in the player's place.
///
/// Nobody is erased by a mistyped id: of somebody whom the request service does not know, such as
/// one who signed up after the backup that its store was put back to, another service may keep
/// something, and `evenIfUnknown` erases that. Repeating the call changes nothing.
///
/// A call of somebody else that names the player gets the answer from then on that it would get for
/// an id that never was; nothing of the player is listed after it.
///
/// Errors: `requiredArgument` (player), `invalidArgument` (player: it is too regular for an id, and
/// its bytes are in rows about others), `notFound` (player, unless `evenIfUnknown`).
/// Cost: an effect on each slot of all services, and a pass over all their rows.
public struct ErasePlayer: Operation {
  public static let opcode = Opcode(.request, 0x94)
  public typealias Reply = Empty
  public static var access: Access { .deploymentOperator }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  /// The caller has looked: the id is a player's, and not a context's or anything else's, whose
  /// place a stand-in would take everywhere.
  public var evenIfUnknown = false
  public init() {}
  public init(_ player: PlayerID, evenIfUnknown: Bool = false) {
    (self.player, self.evenIfUnknown) = (player, evenIfUnknown)
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("evenIfUnknown", &evenIfUnknown)
  }

  public var fault: Failure? {
    if player.isNil {
      return Failure(.requiredArgument, argument: "player", "Who is erased?")
    }
    // Ids are random; small numbers, a repeated byte and the like are in rows about others.
    let isRandom = player.high != 0 && player.low != 0 && Set(player.bytes).count > 3
    if isRandom { return nil }
    return Failure(.invalidArgument, argument: "player", "No player has this id.")
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
