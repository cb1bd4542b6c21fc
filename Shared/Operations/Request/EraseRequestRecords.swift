public import Wire

/// The request service forgets a player: see `RecordsErasure`.
public struct EraseRequestRecords: RecordsErasure {
  public static let opcode = Opcode(.request, 0x93)
  public var key = RoutingKey()
  public var player = PlayerID()
  public var standIn = PlayerID()
  public init() {}
}
