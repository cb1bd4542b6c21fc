public import Wire

/// Sent by players, game servers and the operator: returns one piece of a player's photo, which the
/// profile names. Whoever has read all pieces checks the bytes by their name.
///
/// Errors: `invalidArgument` (offset: no place where a piece begins), `notReachable` as with
/// `GetProfile`, `notFound` (photo: the player has another one by now, or none). Cost: one cold
/// row.
public struct ReadPhoto: Operation {
  public static let opcode = Opcode(.request, 0x84)
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var photo = PhotoID()
  /// A multiple of `PhotoLimits.pieceBytesMax`.
  public var offset: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("photo", &photo)
    visit.field("offset", &offset)
  }

  public var fault: Failure? {
    if offset % UInt32(PhotoLimits.pieceBytesMax) == 0 { return nil }
    return PhotoRules.bad(
      "offset", "Pieces begin at multiples of \(PhotoLimits.pieceBytesMax).")
  }

  public struct Reply: Message {
    /// No more than `PhotoLimits.pieceBytesMax`.
    public var bytes = Bytes()
    /// Of the whole photo.
    public var byteCount: UInt32 = 0
    public var format = PhotoFormat()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("bytes", &bytes)
      visit.field("byteCount", &byteCount)
      visit.field("format", &format)
    }
  }
}
