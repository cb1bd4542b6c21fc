public import Wire

/// The export of each service.
public enum RecordsExports {
  public static let all: [any RecordsExport.Type] = [
    ExportContextRecords.self, ExportRequestRecords.self, ExportLeaderboardRecords.self,
  ]
}
