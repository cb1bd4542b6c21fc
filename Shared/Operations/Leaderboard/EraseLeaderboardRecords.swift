public import Wire

/// The leaderboard service forgets a player: see `RecordsErasure`.
public struct EraseLeaderboardRecords: RecordsErasure {
  public static let opcode = Opcode(.leaderboard, 0x5F)
  public var key = RoutingKey()
  public var player = PlayerID()
  public var standIn = PlayerID()
  public init() {}
}
