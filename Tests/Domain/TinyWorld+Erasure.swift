import Wire

@testable import Domain

struct EraseTinyRecords: RecordsErasure {
  static let opcode = Opcode(.context, 14)
  var key = RoutingKey()
  var player = PlayerID()
  var standIn = PlayerID()
}

extension TinyWorld {
  /// Has the engine begin to forget a player.
  func erase(_ erasure: Erasure) -> Outcome {
    var operation = EraseTinyRecords()
    operation.key = RoutingKey(high: 0, low: 7)
    (operation.player, operation.standIn) = (erasure.player, erasure.standIn)
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .service
    envelope.routingKey = operation.key
    return apply(
      Request(opcode: EraseTinyRecords.opcode, envelope: envelope, body: operation.encoded))
  }

  /// Lets the engine go on until nobody who is erased is looked for.
  func forget() {
    for _ in 0..<20 {
      runTimers()
      clock += ErasureLimits.againMilliseconds
    }
  }

  func store(link number: UInt64, _ text: String) {
    var row = LinkRow()
    (row.key, row.text) = (number, text)
    store(row)
  }

  func link(_ number: UInt64) -> String? {
    rows[LinkRow.tableID]?[number.keyBytes].flatMap { try? LinkRow(decoding: $0) }?.text
  }
}
