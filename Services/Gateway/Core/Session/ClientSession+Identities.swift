import Operations
public import Wire

/// Signing up with an identity, and linking one: a proof is verified first, and then the request
/// service is asked step by step. Whatever step the gateway dies after, the steps that were made
/// hold, and the repeated call makes the others.
extension ClientSession {
  mutating func fetchNonce(
    _ operation: FetchNonce, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    guard operation.challenge.array.count == 32 else {
      throw Failure(.invalidArgument, argument: "challenge", "A challenge has 32 bytes.")
    }
    let expiresAt = UInt64(gateway.wallClock() / 1000) + GatewayLimits.nonceSeconds
    var reply = FetchNonce.Reply()
    reply.nonce = gateway.keyring.nonce(for: operation.challenge, expiresAt: expiresAt)
    reply.expiresInSeconds = UInt32(GatewayLimits.nonceSeconds)
    finish(token, reply.encoded, &gateway)
  }

  mutating func signUp(
    _ operation: SignUpWithIdentity, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    try takeSignUp(&gateway)
    try verify(operation.proof, for: .signUp(operation), token, &gateway)
  }

  mutating func link(
    _ operation: LinkIdentity, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    // Each makes the gateway verify a signature, as a sign-in does.
    try takeSignIn(&gateway)
    try verify(
      operation.proof, for: .link(principal.player, movesFrom: operation.movesFrom), token,
      &gateway)
  }

  private mutating func verify(
    _ proof: IdentityProof, for purpose: ProofErrand.Purpose, _ token: CallToken,
    _ gateway: inout GatewayState
  ) throws(Failure) {
    guard !proof.attempt.isNil else {
      throw Failure(.requiredArgument, argument: "attempt", "An attempt is required.")
    }
    guard gateway.providers[proof.provider] != nil else {
      throw .unknownProvider
    }
    guard let call = calls[token] else { return }
    let errand = ProofErrand(
      proof: proof, nonce: givenNonce(of: proof, gateway), purpose: purpose)
    gateway.act(.verify(token, errand, withinMilliseconds: call.deadline - gateway.now))
  }

  /// The nonce of a proof, if a gateway has made it for the proof's attempt.
  private func givenNonce(of proof: IdentityProof, _ gateway: GatewayState) -> GivenNonce? {
    guard gateway.providers.usesNonce(proof.provider),
      let seconds = gateway.keyring.expiry(
        ofNonce: proof.nonce, for: FetchNonce.challenge(of: proof.attempt), equals: gateway.equals)
    else { return nil }
    return GivenNonce(text: proof.nonce, expiresAt: Int64(clamping: seconds) * 1000)
  }

  /// Takes what came of a proof; called exactly once for each action `verify`.
  public mutating func verified(
    _ token: CallToken, _ errand: ProofErrand, _ result: Result<CheckedProof, Failure>,
    _ gateway: inout GatewayState
  ) {
    switch (result, errand.purpose) {
    case (.failure(let failure), _): fail(token, failure, &gateway)
    case (.success(let proof), .signUp(let operation)):
      var claim = ClaimIdentity(proof, errand, gateway)
      claim.displayName = operation.displayName
      ask(claim, at: proof.identity, .claimForDevice(operation, proof), token, &gateway)
    case (.success(let proof), .link(let player, let movesFrom)):
      let link = IdentityLink(
        player: player, movesFrom: movesFrom, claim: ClaimIdentity(proof, errand, gateway))
      reserve(link, token, &gateway)
    }
  }

  mutating func reserve(
    _ link: IdentityLink, _ token: CallToken, _ gateway: inout GatewayState
  ) {
    var reserve = ReserveIdentity()
    (reserve.player, reserve.identity) = (link.player, link.claim.identity)
    (reserve.provider, reserve.subject) = (link.claim.provider, link.claim.subject)
    ask(
      reserve, at: link.player, isForOperator: link.isImport, .reserve(link), token, &gateway)
  }

  mutating func ask<O: Operation, K>(
    _ operation: O, at key: Identifier<K>, isForOperator: Bool = false, _ step: IdentityStep,
    _ token: CallToken, _ gateway: inout GatewayState
  ) {
    guard let call = calls[token] else { return }
    guard call.deadline > gateway.now else { return fail(token, .waitedTooLong, &gateway) }
    ask(
      .identity(step, token), O.opcode, operation.encoded, key: RoutingKey(reinterpreting: key),
      as: principal, isForOperator: isForOperator, until: call.deadline,
      trace: call.envelope.traceID, &gateway)
  }

  // MARK: Steps

  mutating func answered(
    _ step: IdentityStep, _ result: Result<[UInt8], Failure>, _ token: CallToken,
    _ gateway: inout GatewayState
  ) {
    do throws(Failure) {
      switch step {
      case .claimForDevice(let operation, let proof):
        enroll(
          operation, proof, try decoded(ClaimIdentity.self, result).get(), token, &gateway)
      case .enroll(let reply, let link):
        enrolled(reply, link, decoded(EnrollDevice.self, result), token, &gateway)
      case .reserve(var link):
        link.claim.link = try decoded(ReserveIdentity.self, result).get().link
        link.claim.player = link.player
        ask(link.claim, at: link.claim.identity, .claimForPlayer(link), token, &gateway)
      case .claimForPlayer(let link):
        claimed(link, try decoded(ClaimIdentity.self, result).get(), token, &gateway)
      case .giveUp(let link, let pass):
        givenUp(link, pass, decoded(GiveUpIdentity.self, result), token, &gateway)
      case .pass(let link):
        let reply = try decoded(PassIdentity.self, result).get()
        settle(link, reply.isPassed ? nil : .movedOn, token, &gateway)
      case .settle(let link, let failure?): refuse(link, failure, token, &gateway)
      case .tell(let failure): throw failure
      case .settle(let link, nil):
        guard try decoded(SettleIdentity.self, result).get().isHeld else { throw .movedOn }
        finish(token, link.reply, &gateway)
      case .claimForImport(let claim):
        imported(claim, try decoded(ClaimIdentity.self, result).get(), token, &gateway)
      case .settleImport(let reply):
        settledImport(reply, decoded(SettleIdentity.self, result), token, &gateway)
      }
    } catch {
      fail(token, error, &gateway)
    }
  }

  private mutating func enroll(
    _ operation: SignUpWithIdentity, _ proof: CheckedProof, _ claim: ClaimIdentity.Reply,
    _ token: CallToken, _ gateway: inout GatewayState
  ) {
    var reply = SignUpWithIdentity.Reply()
    reply.player = claim.owner
    let attempt = operation.proof.attempt
    reply.device = gateway.keyring.device(of: attempt, with: proof.identity)
    reply.secret = Bytes(gateway.keyring.secret(of: attempt, with: proof.identity))
    reply.isNew = claim.isNew
    var enroll = EnrollDevice()
    enroll.player = claim.owner
    enroll.holding.identity = proof.identity
    enroll.holding.link = claim.link
    enroll.holding.makesPlayer = claim.makesPlayer
    enroll.holding.provider = operation.proof.provider
    enroll.holding.subject = proof.subject
    enroll.holding.displayName = operation.displayName
    enroll.device = reply.device
    enroll.secretHash = gateway.keyring.secretHash(reply.secret.array)
    enroll.otherHashes = gateway.keyring.otherSecretHashes(reply.secret.array)
    enroll.deviceName = operation.deviceName
    let owner = IdentityOwner(player: claim.owner, identity: proof.identity, link: claim.link)
    ask(enroll, at: claim.owner, .enroll(reply, owner), token, &gateway)
  }

  private mutating func enrolled(
    _ reply: SignUpWithIdentity.Reply, _ owner: IdentityOwner, _ result: Result<Empty, Failure>,
    _ token: CallToken, _ gateway: inout GatewayState
  ) {
    switch result {
    case .success: finish(token, reply.encoded, &gateway)
    case .failure(let failure) where failure.code == .invalidCredential:
      tell(owner, failure, token, &gateway)
    // The owner was erased, and the identity's key has not heard of it yet.
    case .failure(let failure) where failure.code == .notReachable:
      fail(token, .ownerErased, &gateway)
    case .failure(let failure): fail(token, failure, &gateway)
    }
  }

  /// Tells an owner who knows nothing of it what the identity's key says, and then the client why
  /// the call has failed. Where one of the two was restored from a backup, they agree after it.
  private mutating func tell(
    _ owner: IdentityOwner, _ failure: Failure, _ token: CallToken, _ gateway: inout GatewayState
  ) {
    let news = SettleIdentity(owner.player, owner.identity, link: owner.link, isHeld: true)
    ask(news, at: owner.player, .tell(failure), token, &gateway)
  }

  private mutating func claimed(
    _ link: IdentityLink, _ claim: ClaimIdentity.Reply, _ token: CallToken,
    _ gateway: inout GatewayState
  ) {
    if claim.owner == link.player { return settle(link, nil, token, &gateway) }
    var link = link
    // The player who is made for an identity may be under way, and would learn of it too early.
    if !claim.makesPlayer {
      link.owner = IdentityOwner(
        player: claim.owner, identity: link.claim.identity, link: claim.link)
    }
    guard claim.owner == link.movesFrom else {
      let conflict = IdentityConflict(owner: claim.owner, player: link.player)
      let failure = Failure(
        .conflict, argument: "proof", "The identity is another player's.",
        detail: Bytes(conflict.encoded))
      return settle(link, failure, token, &gateway)
    }
    var giveUp = GiveUpIdentity()
    giveUp.player = claim.owner
    (giveUp.pass.identity, giveUp.pass.from) = (link.claim.identity, claim.link)
    (giveUp.pass.player, giveUp.pass.link) = (link.player, link.claim.link)
    giveUp.pass.owner = claim.owner
    ask(giveUp, at: claim.owner, .giveUp(link, giveUp.pass), token, &gateway)
  }

  private mutating func givenUp(
    _ link: IdentityLink, _ pass: PassIdentity, _ result: Result<Empty, Failure>,
    _ token: CallToken, _ gateway: inout GatewayState
  ) {
    switch result {
    case .success: ask(pass, at: pass.identity, .pass(link), token, &gateway)
    case .failure(var failure) where failure.code == .conflict || failure.code == .banned:
      failure.argument = "movesFrom"
      settle(link, failure, token, &gateway)
    case .failure(let failure): fail(token, failure, &gateway)
    }
  }

  /// Tells the player's list what was decided, and then the client.
  private mutating func settle(
    _ link: IdentityLink, _ failure: Failure?, _ token: CallToken, _ gateway: inout GatewayState
  ) {
    // The place of an import may be that of another call too, which has not counted it.
    if link.isImport, let failure { return refuse(link, failure, token, &gateway) }
    let settle = SettleIdentity(
      link.player, link.claim.identity, link: link.claim.link, isHeld: failure == nil)
    ask(settle, at: link.player, .settle(link, failure), token, &gateway)
  }

  private mutating func refuse(
    _ link: IdentityLink, _ failure: Failure, _ token: CallToken, _ gateway: inout GatewayState
  ) {
    guard let owner = link.owner else { return fail(token, failure, &gateway) }
    tell(owner, failure, token, &gateway)
  }
}

/// What a player who links an identity waits for.
struct IdentityLink {
  var player: PlayerID
  var movesFrom: PlayerID
  var claim: ClaimIdentity
  /// Another player whose the identity is.
  var owner: IdentityOwner?
  /// Whether an operator has brought the identity.
  var isImport = false

  /// What the caller is told when the player has the identity.
  var reply: [UInt8] {
    if isImport {
      var reply = ImportPlayer.Reply()
      reply.player = player
      return reply.encoded
    }
    var reply = LinkIdentity.Reply()
    reply.identity = claim.identity
    return reply.encoded
  }
}

/// Whose an identity is, as its key says.
struct IdentityOwner {
  var player: PlayerID
  var identity: RoutingKey
  var link: UInt64
}

/// Which of the gateway's calls an answer is to.
enum IdentityStep {
  case claimForDevice(SignUpWithIdentity, CheckedProof)
  case enroll(SignUpWithIdentity.Reply, IdentityOwner)
  case reserve(IdentityLink)
  case claimForPlayer(IdentityLink)
  case giveUp(IdentityLink, PassIdentity)
  case pass(IdentityLink)
  /// With a failure, the place in the list was given up, and the client learns why.
  case settle(IdentityLink, Failure?)
  /// Whatever the owner says, the client learns why the call has failed.
  case tell(Failure)
  case claimForImport(ClaimIdentity)
  case settleImport(ImportPlayer.Reply)
}

extension ClaimIdentity {
  fileprivate init(_ proof: CheckedProof, _ errand: ProofErrand, _ gateway: GatewayState) {
    self.init()
    identity = proof.identity
    (self.proof, until) = (proof.mark, proof.until)
    attempt = gateway.keyring.name(of: errand.proof.attempt)
    (provider, subject) = (errand.proof.provider, proof.subject)
  }
}

extension Failure {
  fileprivate static let movedOn = Failure(
    .conflict, argument: "movesFrom", "The identity came to another player meanwhile.")
  static let unknownProvider = Failure(
    .notFound, argument: "provider", "This deployment takes no identities of that provider.")
  /// An erasure that waits for nothing takes about as long as the client is told to wait.
  static let ownerErased = Failure(
    .unavailable, "The identity is of a player who is being erased.",
    retryAfterMilliseconds: 1_000)
}
