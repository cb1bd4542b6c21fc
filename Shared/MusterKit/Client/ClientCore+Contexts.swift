extension ClientCore {
  /// Updates the current context and the acknowledged place after a call of this client. It runs
  /// before the call returns to its caller.
  func observe(_ request: CallBook.Request, _ reply: [UInt8]) {
    switch request.opcode {
    case CreatePairContext.opcode, CreateSoloContext.opcode, SwitchContext.opcode:
      if let info = try? ContextInfo(decoding: reply) { status.currentContext = info }
    case GetContext.opcode:
      guard let info = try? ContextInfo(decoding: reply),
        info.context == status.currentContext?.context
      else { return }
      status.currentContext = info
    case LeaveContext.opcode:
      guard let operation = try? LeaveContext(decoding: request.body),
        operation.context == status.currentContext?.context
      else { return }
      status.currentContext = nil
    case Acknowledge.opcode:
      // The game itself may have made this call. A consumer that comes later begins after it.
      guard let operation = try? Acknowledge(decoding: request.body) else { return }
      acknowledged = max(acknowledged, operation.through)
    default: break
    }
  }

  /// Updates the current context when others enter or leave it.
  func observe(_ event: StreamEvent) {
    if event.kind == EventsDropped.opcode.rawValue { return readContext() }
    guard event.kind == ContextPlayerChanged.opcode.rawValue,
      let change = try? ContextPlayerChanged(decoding: event.body.array),
      var info = status.currentContext, info.context == change.context,
      info.generation == change.generation
    else { return }
    if let index = info.players.firstIndex(where: { $0.player == change.player }) {
      info.players[index].state = change.state
    } else {
      info.players.append(
        ContextPlayer(player: change.player, role: .participant, state: change.state))
    }
    info.size = UInt32(info.players.count { $0.state != .left })
    status.currentContext = info
  }

  /// Asks who is in the current context: events that said so were lost. Those that are under way
  /// come later, in their order, so that the newest state is reached all the same.
  func readContext() {
    guard let info = status.currentContext else { return }
    var operation = GetContext()
    operation.context = info.context
    let deadline = configuration.callDeadline.milliseconds
    call(reserveCall(), CallBook.Request(operation), within: deadline) { _ in }
  }
}
