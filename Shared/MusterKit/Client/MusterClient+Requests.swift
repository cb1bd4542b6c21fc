extension MusterClient {
  /// Returns the next friends to whom a request may go, for a screen on which the player chooses;
  /// see `SelectRecipients`. It goes on until the page is full or the list has ended.
  ///
  /// - Parameters:
  ///   - selection: whom to show, and where to begin.
  /// - Returns: the friends, and the cursor with which the next page begins; empty after the last.
  public nonisolated func selectRecipients(_ selection: SelectRecipients = SelectRecipients())
    async throws(MusterError) -> SelectRecipients.Reply
  {
    var selection = selection
    var page = SelectRecipients.Reply()
    let limit = Int(selection.limit)
    repeat {
      selection.limit = UInt32(limit - page.recipients.count)
      let reply = try await call(selection)
      page.recipients += reply.recipients
      page.cursor = reply.cursor
      selection.cursor = reply.cursor
    } while !page.cursor.isEmpty && page.recipients.count < limit
    return page
  }

  // MARK: Requests without a dialog

  /// Begins to keep `frictionlessRecipients`: one call when a session begins and when consents
  /// change.
  public func keepFrictionlessRecipients() async {
    // A client that was closed keeps nothing.
    try? core().keepFrictionlessRecipients()
  }

  /// Which players have agreed to requests of this one without a dialog, as the server has said
  /// last; nil before it has, and without `keepFrictionlessRecipients`.
  public nonisolated var frictionlessRecipients: Set<PlayerID>? { status.frictionlessRecipients }

  /// Whether a request to these recipients needs no dialog, as far as is known here: there is a
  /// recipient, and every one of them has agreed. The server decides, see `sendFrictionless`.
  public nonisolated func isFrictionless(_ recipients: [String]) -> Bool {
    frictionlessRecipients.allows(recipients)
  }

  /// Sends a request without a dialog where every recipient has agreed to that.
  ///
  /// - Returns: nil when the player has to be shown the request first; nothing was sent then.
  public nonisolated func sendFrictionless(_ request: SendRequest)
    async throws(MusterError) -> SendRequest.Reply?
  {
    guard isFrictionless(request.recipients) else { return nil }
    var request = request
    request.isFrictionless = true
    do {
      return try await call(request)
    } catch  where error.code == .conflict {
      return nil
    }
  }

  // MARK: Invite tokens

  /// Claims an invite token that came with a link, for the player who is signed in: see
  /// `ClaimInviteToken`.
  ///
  /// - Throws: `notFound`, `alreadyExists` (used), `conflict` (revoked), `notOpen` (expired),
  ///   `invalidArgument` (the player's own).
  @discardableResult
  public nonisolated func claim(inviteToken text: String) async throws(MusterError)
    -> ClaimInviteToken.Reply
  {
    guard let token = InviteToken(text) else {
      throw MusterError(.notFound, argument: "token", "There is no such invite token.")
    }
    return try await call(ClaimInviteToken(token))
  }

  /// Begins a session of a player who came by a link with an invite token, and claims the token
  /// right after that.
  ///
  /// A claim that gets no answer is made again whenever this client goes on with the player's
  /// session or begins the next; the requests that it brings come as `RequestReceived`.
  ///
  /// - Throws: what the sign-in throws. That the token could not be claimed is in the result: the
  ///   session has begun all the same.
  public nonisolated func signIn(
    _ credential: Credential, claiming inviteToken: String, deadline: Duration? = nil
  ) async throws(MusterError) -> InvitedSession {
    try await claiming(inviteToken) { () async throws(MusterError) in
      try await self.signIn(credential, deadline: deadline)
    }
  }

  /// As `signIn(_:claiming:deadline:)`, with any way to sign in.
  public nonisolated func claiming(
    _ inviteToken: String, after signIn: () async throws(MusterError) -> SessionInfo
  ) async throws(MusterError) -> InvitedSession {
    let session = try await signIn()
    do {
      return InvitedSession(
        session: session, claim: .success(try await claim(inviteToken: inviteToken)))
    } catch {
      if error.leavesOpen { await keepClaim(of: inviteToken, as: session.player) }
      return InvitedSession(session: session, claim: .failure(error))
    }
  }

  private func keepClaim(of text: String, as player: PlayerID?) {
    guard let player, let token = InviteToken(text) else { return }
    // A client that was closed keeps nothing.
    try? core().pendingClaim = (player, token)
  }
}

/// A session that began by a link with an invite token.
public struct InvitedSession: Sendable {
  public var session: SessionInfo
  /// What the token has brought, or why it could not be claimed.
  public var claim: Result<ClaimInviteToken.Reply, MusterError>
}

extension Set<PlayerID>? {
  /// Whether a request to these recipients needs no dialog. Nobody is nobody who has agreed.
  package func allows(_ recipients: [String]) -> Bool {
    guard let self, !recipients.isEmpty else { return false }
    return recipients.allSatisfy { text in PlayerID(text).map(self.contains) ?? false }
  }
}
