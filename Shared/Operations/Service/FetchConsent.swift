public import Wire

/// A fact about a player, for a call of another: whether `player` lets the caller send requests of
/// the call's game without a dialog. A consent that is revoked, and a friendship that ends, count
/// from when that was acknowledged.
public struct FetchConsent: FactQuestion {
  public static let opcode = Opcode(.request, 0x25)
  public var player = PlayerID()
  public init() {}
  public init(of player: PlayerID) { self.player = player }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }

  public struct Reply: Message {
    public var isGiven = false
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("isGiven", &isGiven)
    }
  }
}
