import Domain
import Operations
import Wire

// At an identity's key: whose it is, and which proofs were used.

extension RequestCore {
  func claimIdentity(_ operation: ClaimIdentity, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ClaimIdentity.Reply
  {
    let proof = UsedProofKey(identity: operation.identity, proof: operation.proof)
    try checkProof(proof, operation, now: transaction.now)
    let (row, isMade) = try owned(operation, &transaction)
    // From here on nothing is refused.
    let made = isMade && row.makesPlayer ? row.link : proofs[proof]?.made ?? 0
    // An import that has made nobody changes nothing, and is not in the audit.
    let isKept = call.principal.kind == .service || isMade
    if isKept && proofs[proof]?.made != made { use(proof, operation, made: made, &transaction) }
    if identities[operation.identity] != row { identities.put(row, &transaction) }
    if isMade { tell(row, operation, &transaction) }
    var reply = ClaimIdentity.Reply()
    (reply.owner, reply.link) = (row.owner, row.link)
    reply.makesPlayer = row.makesPlayer
    reply.isNew = row.makesPlayer && row.link == made
    return reply
  }

  private func checkProof(_ key: UsedProofKey, _ operation: ClaimIdentity, now: Int64) throws(Stop)
  {
    if let used = proofs[key] {
      if used.attempt != operation.attempt { throw .refusedProof }
    } else {
      if operation.until <= now { throw .refusedProof }
      let valid = proofs.rows(of: key.identity).map(\.until).filter { $0 > now }
      guard valid.count < AccountLimits.proofsMax else {
        throw .rateLimited(
          "Too many proofs of this identity are valid still.",
          UInt32(clamping: (valid.min() ?? now) - now))
      }
    }
  }

  /// The identity's row as it is after the claim, and whether the claim has given it to somebody.
  private func owned(_ operation: ClaimIdentity, _ transaction: inout Transaction) throws(Stop)
    -> (IdentityRow, isMade: Bool)
  {
    if var row = identities[operation.identity] {
      // The owner has given it up and reserved it again: the news of the former come too late. A
      // claim that comes too late itself has an older link.
      if row.owner == operation.player, row.link < operation.link {
        (row.link, row.makesPlayer) = (operation.link, false)
        return (row, true)
      }
      return (row, false)
    }
    var row = IdentityRow(key: operation.identity)
    if operation.player.isNil || operation.makesPlayer {
      _ = try kept(displayName: operation.displayName)
      row.owner = operation.makesPlayer ? operation.player : transaction.identifier()
      row.link = newLink(&transaction)
      row.makesPlayer = true
    } else {
      (row.owner, row.link) = (operation.player, operation.link)
    }
    return (row, true)
  }

  /// A link that is greater than all that were drawn before, but for those of the same millisecond.
  func newLink(after last: UInt64 = 0, _ transaction: inout Transaction) -> UInt64 {
    let drawn = UInt64(clamping: transaction.now) << 22 | transaction.randomInteger() >> 42
    return max(drawn, last &+ 1)
  }

  private func use(
    _ key: UsedProofKey, _ operation: ClaimIdentity, made: UInt64,
    _ transaction: inout Transaction
  ) {
    let until = proofs[key]?.until ?? operation.until
    expireProofs(of: key.identity, &transaction)
    proofs.put(
      UsedProofRow(key: key, attempt: operation.attempt, until: until, made: made), &transaction)
    setProofTimer(key.identity, &transaction)
  }

  /// Tells the owner's key, which needs it also when the gateway dies before it has told.
  private func tell(
    _ row: IdentityRow, _ operation: ClaimIdentity, _ transaction: inout Transaction
  ) {
    var news = SettleIdentity(row.owner, row.key, link: row.link, isHeld: true)
    if row.makesPlayer {
      news.holding.makesPlayer = true
      news.holding.provider = operation.provider
      news.holding.subject = operation.subject
      news.holding.displayName = operation.displayName
    }
    transaction.effect(news, on: row.owner, game: "")
  }

  func passIdentity(_ operation: PassIdentity, _ call: Call, _ transaction: inout Transaction)
    -> PassIdentity.Reply
  {
    var reply = PassIdentity.Reply()
    if let row = identities[operation.identity], row.link == operation.from {
      if operation.player.isNil {
        identities.remove(row.key, &transaction)
      } else {
        let next = IdentityRow(key: row.key, owner: operation.player, link: operation.link)
        identities.put(next, &transaction)
        transaction.effect(
          SettleIdentity(next.owner, row.key, link: next.link, isHeld: true), on: next.owner,
          game: "")
      }
    }
    // Also where the identity is by another link here: who has given it up waits for this.
    if !operation.owner.isNil {
      let news = SettleIdentity(
        operation.owner, operation.identity, link: operation.from, isHeld: false)
      transaction.effect(news, on: operation.owner, game: "")
    }
    let owner = identities[operation.identity]
    reply.isPassed =
      !operation.player.isNil && owner?.owner == operation.player && owner?.link == operation.link
    return reply
  }

  func expireProofs(_ operation: ExpireProofs, _ call: Call, _ transaction: inout Transaction) {
    expireProofs(of: call.key, &transaction)
    setProofTimer(call.key, &transaction)
  }

  private func expireProofs(of identity: RoutingKey, _ transaction: inout Transaction) {
    for row in proofs.rows(of: identity).sorted(by: { $0.key < $1.key })
    where row.until <= transaction.now {
      proofs.remove(row.key, &transaction)
    }
  }

  func setProofTimer(_ identity: RoutingKey, _ transaction: inout Transaction) {
    guard let first = proofs.rows(of: identity).lazy.map(\.until).min() else { return }
    transaction.setTimer(ExpireProofs(), on: identity, at: first)
  }
}

extension Stop {
  /// Whatever is wrong with a proof, the same is told: nobody learns which identities there are.
  static var refusedProof: Stop {
    .refuse(.invalidCredential, "The proof of identity was refused.")
  }
}
