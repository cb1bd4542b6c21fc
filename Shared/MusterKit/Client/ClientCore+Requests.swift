extension ClientCore {
  func keepFrictionlessRecipients() { perform(frictionless.want()) }

  /// The consents may have changed.
  func consentsChanged() { perform(frictionless.changed()) }

  func perform(_ read: FrictionlessCache.Read?) {
    status.frictionlessRecipients = frictionless.recipients
    guard let read else { return }
    var operation = ListConsents()
    operation.cursor = read.cursor
    call(
      reserveCall(), CallBook.Request(operation), within: configuration.callDeadline.milliseconds
    ) { [weak self] result in
      guard let self else { return }
      if case .success(let body) = result, let reply = try? ListConsents.Reply(decoding: body) {
        perform(frictionless.took(reply, of: read))
      } else {
        perform(frictionless.failed(read))
      }
    }
  }

  /// Claims a player's token once more where nobody knows whether it was claimed. Whoever has
  /// claimed it already gets the same answer.
  func claimAgain(as player: PlayerID) {
    guard let claim = pendingClaim, claim.player == player else { return }
    pendingClaim = nil
    call(
      reserveCall(), CallBook.Request(ClaimInviteToken(claim.token)),
      within: configuration.callDeadline.milliseconds
    ) { [weak self] result in
      if case .failure(let error) = result, error.leavesOpen { self?.pendingClaim = claim }
    }
  }

  /// A send without a dialog was refused: what this client knows of consents is old.
  func observe(_ request: CallBook.Request, _ error: MusterError) {
    if request.opcode == SendRequest.opcode, error.code == .conflict { consentsChanged() }
  }
}

extension MusterError {
  /// Whether the same call may still succeed, later or over another connection.
  var leavesOpen: Bool {
    switch code {
    case .disconnected, .deadlineExceeded, .cancelled, .unavailable, .backpressure, .rateLimited,
      .storageFull, .notAuthenticated, .sessionExpired:
      true
    default: false
    }
  }
}
