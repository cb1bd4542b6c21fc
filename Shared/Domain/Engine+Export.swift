import Wire

extension Router {
  mutating func onExport<E: RecordsExport>(_ type: E.Type, of engine: Engine) {
    on(type) { [unowned engine] (asked, _, transaction) throws(Stop) in
      try engine.export(asked, transaction)
    }
  }
}

extension Engine {
  /// Looks through the next rows of all stored tables that are about players, the engine's own
  /// included, whichever of them are in memory too.
  func export(_ asked: some RecordsExport, _ transaction: Transaction) throws(Stop)
    -> ExportedRecords
  {
    var reply = ExportedRecords()
    reply.partitionIndex = UInt16(partition.index)
    reply.partitionCount = UInt16(partition.count)
    let left = tables.all.filter {
      $0.subjects.arePlayers && $0.description.id >= asked.place.table
    }.sorted { $0.description.id < $1.description.id }
    guard let table = left.first else { return reply }
    let id = table.description.id
    let after = id == asked.place.table ? asked.place.after.array : []
    let range = ColdRange(
      table: id, from: after, through: [], limit: ExportLimits.rowsPerCall)
    let rows = try transaction.encodedRows(in: range)
    let trace = PlayerTrace(asked.player)
    var jsonBytes = 0
    for row in rows {
      // No key is the front of another one, so this is the row with that key.
      if !after.isEmpty && row.starts(with: after) { continue }
      guard tables.isAbout(trace, table: id, row: row) else { continue }
      let record = try exported(table.row, row, asked.player)
      reply.records.append(record)
      jsonBytes += record.json.array.count
      if jsonBytes >= ExportLimits.jsonBytesPerCall {
        reply.next = ExportPlace(table: id, after: try table.key(row))
        return reply
      }
    }
    if rows.count == ExportLimits.rowsPerCall, let last = rows.last {
      reply.next = ExportPlace(table: id, after: try table.key(last))
    } else {
      reply.next = left.dropFirst().first.map { ExportPlace(table: $0.description.id, after: []) }
    }
    return reply
  }

  private func exported<R: Row>(_ type: R.Type, _ bytes: [UInt8], _ player: PlayerID) throws(Stop)
    -> ExportedRecord
  {
    var record = ExportedRecord()
    record.table = R.tableName
    record.isOwn = R.isForOwner && bytes.starts(with: player.bytes)
    let row = try Tables.row(type, bytes)
    let readable = JSONText.of(opened(row)).utf8
    let isTooLong = readable.count > Self.readableBytesMax
    record.json = Bytes(isTooLong ? Array(JSONText.of(row.tree).utf8) : Array(readable))
    return record
  }

  /// A row whose encoded message would take more, because names take more than values, keeps its
  /// bytes: so the reply is a frame all the same.
  private static var readableBytesMax: Int { 512 << 10 }

  /// A row with the message in place of the bytes, wherever its shape is known here: bytes say
  /// nothing to whoever reads an export.
  private func opened(_ row: some Row) -> Tree {
    guard case .object(let members) = row.tree else { return row.tree }
    let tree = MessageTree(nested: core.shape(of:))
    guard let (name, shape) = message(in: row) else { return .object(tree.opened(members)) }
    return .object(members.map { $0.name == name ? tree.opened($0, shape) : $0 })
  }

  /// The column of a row of the engine's that holds a message, and its shape.
  private func message(in row: some Row) -> (column: String, Shape)? {
    switch row {
    case let row as ReplyRow: route(row.opcode).map { ("reply", $0.replyShape) }
    case let row as AuditRow: route(row.opcode).map { ("body", $0.shape) }
    case let row as TimerRow: route(row.key.opcode).map { ("body", $0.shape) }
    case let row as any EffectRow:
      core.shape(of: Opcode(rawValue: row.effect.opcode)).map { ("body", $0) }
    default: nil
    }
  }

  private func route(_ opcode: UInt16) -> Route? { router[Opcode(rawValue: opcode)] }
}
