import Operations
import Wire

/// A record of an export, and where it is kept.
public struct ServiceRecord: Sendable {
  /// The service's name, such as `request`.
  public var service: String
  public var record: ExportedRecord
}

extension MusterClient {
  /// Reads everything that the services keep about a player, each process's in pieces: an
  /// operator's call, which needs no game. It reads every stored row, so its time grows with the
  /// stores, while others are served. What is of others too is told by `ExportedRecord.isOwn`.
  ///
  /// - Parameters:
  ///   - player: whose records are read.
  ///   - each: gets the records that one call has found.
  public nonisolated func export(
    _ player: PlayerID, _ each: ([ServiceRecord]) throws -> Void
  ) async throws {
    let processes = try await call(DeploymentStatus()).processes
    for export in RecordsExports.all {
      guard let service = export.opcode.service,
        processes.contains(where: { $0.name == "muster-\(service.name)" })
      else { continue }
      try await self.export(export, player, service.name, each)
    }
  }

  private nonisolated func export<E: RecordsExport>(
    _ type: E.Type, _ player: PlayerID, _ service: String,
    _ each: ([ServiceRecord]) throws -> Void
  ) async throws {
    var (index, count) = (0, 1)
    while index < count {
      let key = Partition(index: index, count: count).someKey
      var place: ExportPlace? = ExportPlace()
      while let asked = place {
        let reply = try await call(E(player, at: key, from: asked))
        if index == 0 { count = Int(reply.partitionCount) }
        guard reply.partitionIndex == index, reply.partitionCount == count else {
          throw MusterError(
            Failure(.conflict, "The \(service) service was given other partitions meanwhile."))
        }
        if !reply.records.isEmpty {
          try each(reply.records.map { ServiceRecord(service: service, record: $0) })
        }
        place = reply.next
      }
      index += 1
    }
  }
}

extension Partition {
  /// A key that this partition owns. Keys are spread evenly, so that one is soon found.
  fileprivate var someKey: RoutingKey {
    for number in UInt64(0)... {
      let key = RoutingKey(high: 0, low: number)
      if owns(Slot.of(key)) { return key }
    }
    preconditionFailure("a partition owns no slot")
  }
}
