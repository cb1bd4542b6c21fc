public import Wire

/// The erasure of each service.
public enum RecordsErasures {
  public static let all: [any RecordsErasure.Type] = [
    EraseContextRecords.self, EraseRequestRecords.self, EraseLeaderboardRecords.self,
  ]

  public static func contains(_ opcode: Opcode) -> Bool { all.contains { $0.opcode == opcode } }
}
