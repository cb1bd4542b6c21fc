public import Wire

/// An effect of the request service on a player's list: the player blocks another one from now on,
/// or does not any more. The contexts of the two, in all games, are closed for both; an unblocked
/// one may open them again. Invitations to groups, of one of the two by the other, that were not
/// answered are withdrawn, those of the blocker at the other player's list.
///
/// Cost: a row at each of the two, an effect for each game in which they have a context, one to the
/// other player's list, and one for each invitation: 64 in a step.
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
  public var part = BlockPart()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("other", &other)
    visit.field("isBlocked", &isBlocked)
    visit.field("time", &time)
    visit.field("part", &part)
  }
}

/// How much of a block a list is told.
public struct BlockPart: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let whole = Self(rawValue: 0)
  /// A further step at the blocker's list: invitations that are still to be withdrawn.
  public static let restOfInvitations = Self(rawValue: 1)
  /// At the list of the one who is blocked, who is `player` then: invitations by the blocker.
  public static let invitationsOfBlocker = Self(rawValue: 2)
  /// A further step there. The block may be over by then: it is not noted again.
  public static let restOfInvitationsOfBlocker = Self(rawValue: 3)

  public static let names = [
    "whole", "restOfInvitations", "invitationsOfBlocker", "restOfInvitationsOfBlocker",
  ]
}
