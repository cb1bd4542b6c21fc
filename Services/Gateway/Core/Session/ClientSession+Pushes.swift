import Operations
public import Wire

/// Pushes to the client, and what keeps its session alive.
extension ClientSession {
  /// Decides whether an event that a service has pushed goes to the client.
  ///
  /// - Parameter backlog: bytes that the client has not taken yet; see
  ///   `GatewayLimits.hintBacklogBytesMax`.
  public mutating func pushed(_ opcode: Opcode, _ event: RawSpan, backlog: Int) -> PushOutcome {
    switch opcode {
    case StreamEvent.opcode:
      guard let place = Self.place(ofEvent: event) else { return .drop }
      return advance(to: place) ? .send : .drop
    case SessionRevoked.opcode:
      noteRevoked(event)
      return .sendAndFinish
    case HintEvent.opcode: return backlog > GatewayLimits.hintBacklogBytesMax ? .drop : .send
    default: return .send
    }
  }

  /// Remembers that the session is over, and not just this connection.
  private mutating func noteRevoked(_ event: RawSpan) {
    guard let revoked = try? SessionRevoked(decoding: event), !revoked.canResume else { return }
    changePlayer { $0.isRevoked = true }
  }

  /// Reads the first two fields of a `StreamEvent`, and no more of it.
  private static func place(ofEvent event: RawSpan) -> StreamPlace? {
    let place = Reader.read(event) { reader in
      StreamPlace(reader.integer(), EventID.decode(from: &reader))
    }
    return try? place.get()
  }

  /// Moves the cursor on to an event. Returns false for an event that was pushed before, as happens
  /// when a new subscription overlaps the old one.
  private mutating func advance(to place: StreamPlace) -> Bool {
    changePlayer { $0.advance(to: place) } ?? false
  }

  /// Changes what is known of the player whose session begins, lasts or is being ended. Returns nil
  /// when there is none.
  @discardableResult
  private mutating func changePlayer<Result>(_ change: (inout Player) -> Result) -> Result? {
    let result: Result
    switch state {
    case .opening(var player, let token):
      result = change(&player)
      state = .opening(player, token)
    case .player(var player):
      result = change(&player)
      state = .player(player)
    case .closing(var player, let token):
      result = change(&player)
      state = .closing(player, token)
    case .anonymous, .trusted, .closed: return nil
    }
    return result
  }

  /// Sends a new token when half of the last one's life is over; called now and then.
  public mutating func renewToken(_ gateway: inout GatewayState) {
    guard case .player(var player) = state,
      gateway.now - player.tokenIssuedAt >= UInt64(gateway.tokenRenewalMilliseconds)
    else { return }
    var renewed = SessionRenewed()
    renewed.token = player.issueToken(&gateway)
    renewed.expiresInSeconds = gateway.tokenSeconds
    state = .player(player)
    gateway.act(.push(SessionRenewed.opcode, renewed.encoded))
  }

  /// A process can be reached again, perhaps after a new start. Where it owns the player, the
  /// gateway subscribes again, from the last event that was pushed here. The client is told, so
  /// that it announces again what only that process's memory held.
  public mutating func serviceRestored(_ address: ProcessAddress, _ gateway: inout GatewayState) {
    let player: Player
    switch state {
    // A session that is being ended goes on when that fails.
    case .player(let current), .closing(let current, _): player = current
    case .anonymous, .opening, .trusted, .closed: return
    }
    let home = gateway.address(.request, RoutingKey(reinterpreting: player.principal.player))
    guard address == home else {
      let restored = ServiceRestored(address.service)
      gateway.act(.push(ServiceRestored.opcode, restored.encoded))
      return
    }
    var open = OpenSession()
    open.player = player.principal.player
    open.device = player.principal.device
    open.instance = player.instance
    (open.cursor, open.cursorEvent) = (player.pushed.sequence, player.pushed.event)
    ask(
      .restore(number, address.service), OpenSession.opcode, open.encoded,
      key: RoutingKey(reinterpreting: open.player), as: player.principal,
      until: gateway.now + UInt64(gateway.deadlineMilliseconds), trace: gateway.trace(), &gateway)
  }

  mutating func restored(
    _ session: SessionNumber, _ service: Service, _ result: Result<OpenSession.Reply, Failure>,
    _ gateway: inout GatewayState
  ) {
    guard session == number, let pushed = changePlayer({ $0.pushed }) else { return }
    switch result {
    // Nothing else tells the client of events for which the replay had no room, or which are gone.
    // It resumes, and reads on.
    case .success(let session) where session.replayedThrough < session.streamEnd:
      gateway.act(.close(reason: "more events were missed than are pushed again"))
    case .success(let session) where session.removedThrough > pushed.sequence:
      gateway.act(.close(reason: "events that were missed are not kept any more"))
    case .success:
      gateway.act(.push(ServiceRestored.opcode, ServiceRestored(service).encoded))
    // Without its subscription the connection would stay silent: the client resumes instead. Where
    // the stream has gone back in time, its own cursor is refused then, and so it is told.
    case .failure: gateway.act(.close(reason: "the session could not be restored"))
    }
  }
}

extension ClientSession.Player {
  fileprivate mutating func advance(to place: StreamPlace) -> Bool {
    if place.sequence <= pushed.sequence { return false }
    pushed = place
    return true
  }
}
