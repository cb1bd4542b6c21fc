extension ClientCore {
  /// Updates the current context and the acknowledged place after a call of this client. It runs
  /// before the call returns to its caller.
  func observe(_ request: CallBook.Request, _ reply: [UInt8]) {
    switch request.opcode {
    case CreatePairContext.opcode, CreateSoloContext.opcode, SwitchContext.opcode,
      ReopenContext.opcode:
      if let info = try? ContextInfo(decoding: reply) { entered(info) }
    case CreateGroupContext.opcode:
      if let reply = try? CreateGroupContext.Reply(decoding: reply) { entered(reply.info) }
    case JoinContext.opcode:
      // Whoever only asks to be let in is where it was.
      if let info = try? ContextInfo(decoding: reply), isActive(in: info) { entered(info) }
    case GetContext.opcode, AnswerContextRequest.opcode, ChangeContextRole.opcode,
      ChangeContextSettings.opcode, RemoveFromContext.opcode:
      if let info = try? ContextInfo(decoding: reply) { renew(info) }
    case InviteToContext.opcode:
      if let reply = try? InviteToContext.Reply(decoding: reply) { renew(reply.info) }
    case LeaveContext.opcode:
      if let operation = try? LeaveContext(decoding: request.body) { left(operation.context) }
    case CloseContext.opcode:
      if let operation = try? CloseContext(decoding: request.body) { left(operation.context) }
    // A friendship that ends takes its consents along, without an event.
    case RemoveFriend.opcode, BlockPlayer.opcode: consentsChanged()
    case AnswerMatchInvite.opcode:
      guard let operation = try? AnswerMatchInvite(decoding: request.body),
        let reply = try? AnswerMatchInvite.Reply(decoding: reply)
      else { return }
      perform(invites.called(operation, reply.answer))
    case Acknowledge.opcode:
      // The game itself may have made this call. A consumer that comes later begins after it.
      guard let operation = try? Acknowledge(decoding: request.body) else { return }
      acknowledged = max(acknowledged, operation.through)
    default: break
    }
  }

  private func entered(_ info: ContextInfo) {
    var info = info
    info.wasCurrent = false
    status.currentContext = info
    contextChangeCount += 1
  }

  private func renew(_ info: ContextInfo) {
    if info.context == status.currentContext?.context { status.currentContext = info }
  }

  private func left(_ context: ContextID) {
    contextChangeCount += 1
    if context == status.currentContext?.context { status.currentContext = nil }
  }

  private func isActive(in info: ContextInfo) -> Bool {
    info.players.contains { $0.player == status.session?.player && $0.state == .active }
  }

  /// Updates what the client knows when others change it.
  func observe(_ event: StreamEvent) {
    let body = event.body.array
    switch Opcode(rawValue: event.kind) {
    case EventsDropped.opcode:
      readContext()
      consentsChanged()
    // A friendship begins without consents.
    case ConsentChanged.opcode, FriendAccepted.opcode: consentsChanged()
    case ContextPlayerChanged.opcode:
      if let change = try? ContextPlayerChanged(decoding: body) { observe(change) }
    case ContextSettingsChanged.opcode:
      guard let change = try? ContextSettingsChanged(decoding: body),
        var info = current(change.context, change.generation)
      else { return }
      (info.name, info.sizeMax, info.policy) = (change.name, change.sizeMax, change.policy)
      status.currentContext = info
    case ContextClosed.opcode:
      if let change = try? ContextClosed(decoding: body),
        current(change.context, change.generation) != nil
      {
        left(change.context)
      }
    default: break
    }
  }

  private func current(_ context: ContextID, _ generation: UInt32) -> ContextInfo? {
    guard let info = status.currentContext, info.context == context, info.generation == generation
    else { return nil }
    return info
  }

  private func observe(_ change: ContextPlayerChanged) {
    guard var info = current(change.context, change.generation) else { return }
    let isGone = change.state == .left || change.state == .removed
    if isGone && change.player == status.session?.player { return left(info.context) }
    let index = info.players.firstIndex { $0.player == change.player }
    if let index, isGone && info.form == .group {
      info.players.remove(at: index)
    } else if let index {
      info.players[index].state = change.state
      if !isGone { info.players[index].role = change.role }
    } else if !isGone {
      info.players.append(
        ContextPlayer(player: change.player, role: change.role, state: change.state))
    }
    info.size = UInt32(info.players.count { $0.state != .left })
    status.currentContext = info
  }

  /// The player has left a context on another device, or it is closed. The hint may be older than
  /// an entrance, so the server is asked.
  func observe(_ hint: HintEvent) {
    guard hint.kind == ContextLeft.opcode.rawValue,
      let left = try? ContextLeft(decoding: hint.body.array),
      left.context == status.currentContext?.context
    else { return }
    readContext()
  }

  /// Asks who is in the current context: events that said so were lost. Those that are under way
  /// come later, in their order, so that the newest state is reached all the same.
  func readContext() {
    guard let info = status.currentContext else { return }
    let count = contextChangeCount
    read(info.context) { [weak self] read in
      guard let self, read == nil, contextChangeCount == count else { return }
      left(info.context)
    }
  }

  /// Asks which context the player was in when an earlier client of the player ended, unless this
  /// one enters one meanwhile.
  func readCurrentContext() {
    guard status.session?.kind == .player, status.currentContext == nil else { return }
    let count = contextChangeCount
    let deadline = configuration.callDeadline.milliseconds
    call(reserveCall(), CallBook.Request(CurrentContext()), within: deadline) {
      [weak self] result in
      guard let self, case .success(let body) = result,
        let context = (try? CurrentContext.Reply(decoding: body))?.context,
        contextChangeCount == count
      else { return }
      read(context) { [weak self] info in
        guard let self, let info, contextChangeCount == count, status.session != nil else { return }
        status.currentContext = info
      }
    }
  }

  /// - Parameter done: gets nil when the player is in no such context.
  private func read(_ context: ContextID, _ done: @escaping (ContextInfo?) -> Void) {
    var operation = GetContext()
    operation.context = context
    let deadline = configuration.callDeadline.milliseconds
    call(reserveCall(), CallBook.Request(operation), within: deadline) { result in
      switch result {
      case .success(let body): if let info = try? ContextInfo(decoding: body) { done(info) }
      case .failure(let error): if error.code == .notFound { done(nil) }
      }
    }
  }
}
