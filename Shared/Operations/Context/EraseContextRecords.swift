public import Wire

/// The context service forgets a player: see `RecordsErasure`.
public struct EraseContextRecords: RecordsErasure {
  public static let opcode = Opcode(.context, 0x8F)
  public var key = RoutingKey()
  public var player = PlayerID()
  public var standIn = PlayerID()
  public init() {}
}
