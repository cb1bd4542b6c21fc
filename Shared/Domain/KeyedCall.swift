import Wire

/// A call whose answer is remembered, by what tells it from every other one.
struct KeyedCall {
  var key: IdempotencyKey
  var slot: UInt16
  /// Who calls; nil for a caller that is no player.
  var player: PlayerID
  var opcode: Opcode
  var bodyHash: UInt64

  init(_ request: Request, _ body: RawSpan, slot: Int) {
    key = request.envelope.idempotency
    // A client that names no floor may still repeat every call.
    key.floor = max(key.floor, 1)
    self.slot = UInt16(slot)
    player = request.envelope.principal.player
    opcode = request.opcode
    // Keys are compared within one instance alone: this guards a client against its own mistakes.
    bodyHash = FNVHash(body).value
  }

  /// The row of the call's answer.
  func row(_ reply: [UInt8], time: Int64) -> ReplyRow {
    var row = ReplyRow()
    row.key = ReplyKey(slot: slot, instance: key.instance, counter: key.counter)
    row.floor = key.floor
    row.opcode = opcode.rawValue
    row.bodyHash = bodyHash
    row.time = time
    row.reply = Bytes(reply)
    row.player = player
    return row
  }
}
