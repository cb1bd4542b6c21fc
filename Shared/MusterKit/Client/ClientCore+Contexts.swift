extension ClientCore {
  /// Keeps the current context and the cursor in step with what this client did; runs before the
  /// call returns.
  func observe(_ request: CallBook.Request, _ reply: [UInt8]) {
    switch request.opcode {
    case CreatePairContext.opcode, CreateSoloContext.opcode, SwitchContext.opcode:
      if let info = try? ContextInfo(decoding: reply) { board.currentContext = info }
    case GetContext.opcode:
      guard let info = try? ContextInfo(decoding: reply),
        info.context == board.currentContext?.context
      else { return }
      board.currentContext = info
    case LeaveContext.opcode:
      guard let operation = try? LeaveContext(decoding: request.body),
        operation.context == board.currentContext?.context
      else { return }
      board.currentContext = nil
    case Acknowledge.opcode:
      // Also by the game itself: a consumer that comes later begins after it.
      guard let operation = try? Acknowledge(decoding: request.body) else { return }
      acknowledged = max(acknowledged, operation.through)
    default: break
    }
  }

  /// Others come into the current context and leave it.
  func observe(_ event: StreamEvent) {
    guard event.kind == ContextPlayerChanged.opcode.rawValue,
      let change = try? ContextPlayerChanged(decoding: event.body.array),
      var info = board.currentContext, info.context == change.context,
      info.generation == change.generation
    else { return }
    if let index = info.players.firstIndex(where: { $0.player == change.player }) {
      info.players[index].state = change.state
    } else {
      info.players.append(
        ContextPlayer(player: change.player, role: .participant, state: change.state))
    }
    info.size = UInt32(info.players.count { $0.state != .left })
    board.currentContext = info
  }
}
