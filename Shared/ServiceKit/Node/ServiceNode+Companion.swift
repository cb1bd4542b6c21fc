package import Domain
package import Storage
package import Wire

// What a node does for the companion of its process.

extension ServiceNode {
  /// Applies an operation at a player's key, as this service. `done` runs once, perhaps before this
  /// returns: what the operation has done is durable then.
  package func apply<O: Operation>(
    _ operation: O, at player: PlayerID, trace: TraceID,
    _ done: @escaping (Result<O.Reply, Failure>) -> Void
  ) {
    var envelope = ServiceEnvelope()
    envelope.traceID = trace
    envelope.principal = Principal(
      kind: .service, game: "", player: PlayerID(), device: DeviceID())
    envelope.routingKey = RoutingKey(reinterpreting: player)
    apply(Request(opcode: O.opcode, envelope: envelope, body: operation.encoded)) { answer in
      switch answer {
      case .failure(let failure): done(.failure(failure))
      case .reply(let body):
        guard let reply = try? O.Reply(decoding: body) else {
          return done(.failure(Failure(.malformed, "The reply to \(O.name) cannot be read.")))
        }
        done(.success(reply))
      }
    }
  }

  /// Reads rows of a cold table, of whichever keys, as they are when all that was done so far is
  /// durable. `done` runs once, and not from inside this call.
  package func rows<R: Row>(
    _ type: R.Type, in range: ColdRange, _ done: @escaping (Result<[R], StoreError>) -> Void
  ) {
    readWhenDurable(range) { result in
      done(
        result.flatMap { rows in
          let decoded = rows.compactMap { try? R(decoding: $0) }
          if decoded.count == rows.count { return .success(decoded) }
          return .failure(.corrupt("A row of \(R.tableName) cannot be read."))
        })
    }
  }
}
