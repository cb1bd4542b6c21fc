public import Wire

/// A fact about a player: what the caller of the call that needs it may know of `player`.
public struct FetchProfile: FactQuestion {
  public static let opcode = Opcode(.request, 0x80)
  public typealias Reply = Profile
  public var player = PlayerID()
  public init() {}
  public init(of player: PlayerID) { self.player = player }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}
