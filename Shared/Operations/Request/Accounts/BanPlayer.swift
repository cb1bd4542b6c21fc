public import Wire

/// Sent by a game's server or the operator: keeps a player out of the game, or, by an operator who
/// has signed in for no game, out of all. Ends the player's sessions there at once; signing in and
/// resuming are refused with `banned` until the ban is over. Banning again replaces the ban.
///
/// Errors: `requiredArgument` (player), `invalidArgument` (until: it is past; reason), `notFound`
/// (player). Cost: a row for the ban and for each session.
public struct BanPlayer: Operation {
  public static let opcode = Opcode(.request, 0x7E)
  public typealias Reply = Empty
  public static var access: Access { [.gameServer, .deploymentOperator] }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  /// Milliseconds since 1970; 0 for good.
  public var until: Int64 = 0
  /// A sentence that the player is told; may be empty.
  public var reason = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("until", &until)
    visit.field("reason", &reason)
  }

  public var fault: Failure? {
    if player.isNil {
      return Failure(.requiredArgument, argument: "player", "A player is required.")
    }
    guard reason.utf8.count <= AccountLimits.banReasonBytesMax else {
      return Failure(
        .invalidArgument, argument: "reason",
        "A reason has at most \(AccountLimits.banReasonBytesMax) bytes.")
    }
    if reason.isEmpty { return nil }
    return TextRules.fault(in: reason).map {
      Failure(.invalidArgument, argument: "reason", "The reason \($0).")
    }
  }
}

/// Sent by a game's server or the operator: ends a ban that was made for the same game, or for all.
///
/// Errors: `requiredArgument` (player), `notFound` (player, who is not banned there). Cost: a row.
public struct LiftBan: Operation {
  public static let opcode = Opcode(.request, 0x7F)
  public static var access: Access { [.gameServer, .deploymentOperator] }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }

  public var fault: Failure? {
    if !player.isNil { return nil }
    return Failure(.requiredArgument, argument: "player", "A player is required.")
  }

  public struct Reply: Message {
    public var ban = Ban()
    /// Who was banned.
    public var player = PlayerID()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("ban", &ban)
      visit.field("player", &player)
    }
  }
}

/// Why a player cannot sign in.
public struct Ban: Message, Hashable {
  /// Empty where the player is kept out of all games.
  public var game = ""
  /// Milliseconds since 1970; 0 for good.
  public var until: Int64 = 0
  public var reason = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("game", &game)
    visit.field("until", &until)
    visit.field("reason", &reason)
  }
}
