import Identity
import Operations
import Wire

/// Players whom an operator brings from another system, who vouches for their identities: the steps
/// are those of a player with a proof, who would come later.
extension ClientSession {
  mutating func importPlayer(
    _ operation: ImportPlayer, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    guard let space = gateway.providers.subjectSpace(of: operation.provider) else {
      throw .unknownProvider
    }
    guard isSubject(operation.subject) else {
      throw Failure(
        .invalidArgument, argument: "subject",
        "A subject has 1 to \(IdentityLimits.subjectSizeMax) printable ASCII characters.")
    }
    // It stands for a proof that was used: the call is made again as often as need be.
    let proof = CheckedProof(
      provider: space, subject: operation.subject,
      mark: RoutingKey(game: "import", name: operation.subject),
      until: gateway.wallClock() + GatewayLimits.importMilliseconds)
    var claim = ClaimIdentity()
    claim.identity = proof.identity
    (claim.proof, claim.until) = (proof.mark, proof.until)
    claim.attempt = gateway.keyring.name(of: proof.mark)
    (claim.provider, claim.subject) = (operation.provider, operation.subject)
    claim.displayName = operation.displayName
    if operation.player.isNil {
      claim.player = PlayerID(high: gateway.random(), low: gateway.random())
      claim.makesPlayer = true
      return ask(
        claim, at: proof.identity, isForOperator: true, .claimForImport(claim), token, &gateway)
    }
    let link = IdentityLink(
      player: operation.player, movesFrom: PlayerID(), claim: claim, isImport: true)
    reserve(link, token, &gateway)
  }

  /// Waits until the player's own key knows of the player: what an operator does next is about that
  /// player.
  mutating func imported(
    _ claim: ClaimIdentity, _ result: ClaimIdentity.Reply, _ token: CallToken,
    _ gateway: inout GatewayState
  ) {
    var reply = ImportPlayer.Reply()
    (reply.player, reply.isNew) = (result.owner, result.isNew)
    var news = SettleIdentity(result.owner, claim.identity, link: result.link, isHeld: true)
    if result.makesPlayer {
      news.holding.makesPlayer = true
      news.holding.provider = claim.provider
      news.holding.subject = claim.subject
      news.holding.displayName = claim.displayName
    }
    ask(news, at: result.owner, .settleImport(reply), token, &gateway)
  }

  mutating func settledImport(
    _ reply: ImportPlayer.Reply, _ result: Result<SettleIdentity.Reply, Failure>,
    _ token: CallToken, _ gateway: inout GatewayState
  ) {
    switch result {
    case .success(let settled) where settled.isHeld: finish(token, reply.encoded, &gateway)
    case .success: fail(token, .ownerErased, &gateway)
    case .failure(let failure):
      fail(token, failure.code == .notReachable ? .ownerErased : failure, &gateway)
    }
  }
}
