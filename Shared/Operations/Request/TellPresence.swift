public import Wire

/// A timer's: tells the friends of the key's player whether the player has a connection, a few in
/// each step.
///
/// Cost: a hint to each of `PresenceLimits.toldPerStep` friends; it sets itself again until all are
/// told.
public struct TellPresence: Operation {
  public static let opcode = Opcode(.request, 0x89)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  /// The friend who was told last; nil at the beginning.
  public var after = PlayerID()
  /// What the friends are being told, in a step.
  public var isOnline = false
  /// False to look whether there is anything to tell.
  public var isStep = false
  /// A new friend, who is told alone; nil otherwise.
  public var friend = PlayerID()
  public init() {}
  public init(after: PlayerID, isOnline: Bool) {
    (self.after, self.isOnline, isStep) = (after, isOnline, true)
  }
  public init(to friend: PlayerID) { self.friend = friend }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("after", &after)
    visit.field("isOnline", &isOnline)
    visit.field("isStep", &isStep)
    visit.field("friend", &friend)
  }
}
