public import Wire

/// A fact about a game: whether it is declared. The gateway asks before a player signs in.
public struct FetchGame: FactQuestion {
  public static let opcode = Opcode(.request, 0x61)
  /// The key of the game.
  public var key = RoutingKey()
  public init() {}
  public init(_ game: String) { key = RoutingKey(game: game) }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
  }

  public struct Reply: Message {
    public var isDeclared = false
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("isDeclared", &isDeclared)
    }
  }
}
