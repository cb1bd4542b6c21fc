public import Wire

/// An effect of a context on each of its players: brings the player's own list and current context
/// up to date. Effects of one context arrive in order. Those of different contexts may not, so the
/// one with the greatest `time` decides which context is current.
///
/// An invitation to a group by somebody whom the player blocks does not come into the list: the
/// context hears of it by `WithdrawInvitation`.
///
/// Cost: one or two rows of the player.
public struct RecordContext: Operation {
  public static let opcode = Opcode(.context, 0x1F)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  /// A summary.
  public var info = ContextInfo()
  /// Whether the player is in the context or invited. If not, the context goes from the list, and
  /// is not the current one any more.
  public var isMember = false
  /// Whether the context becomes the player's current one.
  public var isEntered = false
  /// When the context changed, in milliseconds since 1970.
  public var time: Int64 = 0
  /// What the context is among those that the player has opened.
  public var opening = ContextOpening()
  /// Of a pair's context: when the player blocked the other one last not, as far as is known here,
  /// by the clock of the player's blocks. A block from before was lifted by then.
  /// To a group that the player is invited to, by whom: when the player blocked the inviter not.
  public var checkedAt: Int64 = 0
  /// Who has invited the player to a group; nil for players who have come, and elsewhere.
  public var inviter = PlayerID()
  /// When the inviter blocked the player not, by the inviter's clock.
  public var inviterCheckedAt: Int64 = 0
  /// How many others the player has just invited to a group.
  public var invitedCount: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("info", &info)
    visit.field("isMember", &isMember)
    visit.field("isEntered", &isEntered)
    visit.field("time", &time)
    visit.field("opening", &opening)
    visit.field("checkedAt", &checkedAt)
    visit.field("inviter", &inviter)
    visit.field("inviterCheckedAt", &inviterCheckedAt)
    visit.field("invitedCount", &invitedCount)
  }
}

/// Whether a context counts among those that a player has opened.
public struct ContextOpening: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// As before.
  public static let same = Self(rawValue: 0)
  public static let counts = Self(rawValue: 1)
  /// It is not kept any more.
  public static let isOver = Self(rawValue: 2)

  public static let names = ["same", "counts", "isOver"]
}
