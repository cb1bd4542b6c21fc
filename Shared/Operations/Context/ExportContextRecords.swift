public import Wire

/// Returns the rows of one process of the context service that are about a player, from a place
/// on. `next` of the reply is the place to ask for after it.
///
/// Errors: `requiredArgument` (player), `unavailable` (a stored row cannot be read). Cost: up to
/// `ExportLimits.rowsPerCall` rows.
public struct ExportContextRecords: RecordsExport {
  public static let opcode = Opcode(.context, 0x8E)
  /// One that the process owns: any at all where the service has one process.
  public var key = RoutingKey()
  public var player = PlayerID()
  /// Where to begin; a new one is the beginning.
  public var place = ExportPlace()
  public init() {}
}
