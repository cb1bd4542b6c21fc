import Domain
import Operations
import TestKit
import Wire

@testable import RequestCore

/// What a gateway asks for a player who has shown a proof, step by step; a test may stop between
/// any two, as a gateway does that dies.
struct IdentityGateway {
  let world: World
  /// Steps that are made before the gateway dies.
  var stepsLeft = Int.max

  struct Died: Error {}

  static func identity(_ number: UInt64) -> RoutingKey { RoutingKey(high: 0xa, low: number) }

  func claim(_ identity: UInt64, proof: UInt64, attempt: UInt64? = nil) -> ClaimIdentity {
    var claim = ClaimIdentity()
    claim.identity = Self.identity(identity)
    claim.proof = RoutingKey(high: 0xb, low: proof)
    claim.attempt = RoutingKey(high: 0xc, low: attempt ?? proof)
    claim.until = world.driver.clock + 600_000
    (claim.provider, claim.subject) = ("apple", "subject \(identity)")
    return claim
  }

  mutating func ask<O: MusterOperation, K>(
    _ operation: O, at key: Identifier<K>
  ) throws -> O.Reply {
    guard stepsLeft > 0 else { throw Died() }
    stepsLeft -= 1
    return try world.driver.call(
      operation, as: PlayerID(), key: RoutingKey(reinterpreting: key), kind: .service)
  }

  /// The device of an attempt, and the hash of its secret.
  static func device(_ attempt: UInt64) -> DeviceID { DeviceID(high: 0xd, low: attempt) }
  static func secret(_ attempt: UInt64) -> KeyedHash {
    let byte = UInt8(truncatingIfNeeded: attempt)
    return KeyedHash(keyNumber: 1, hash: Bytes([UInt8](repeating: byte, count: 32)))
  }

  @discardableResult
  mutating func signUp(
    _ identity: UInt64, proof: UInt64, attempt: UInt64? = nil, name: String = "Ada"
  ) throws -> (player: PlayerID, isNew: Bool) {
    var claim = claim(identity, proof: proof, attempt: attempt)
    claim.displayName = name
    let reply = try ask(claim, at: claim.identity)
    var enroll = EnrollDevice()
    enroll.player = reply.owner
    enroll.holding.identity = claim.identity
    (enroll.holding.link, enroll.holding.makesPlayer) = (reply.link, reply.makesPlayer)
    (enroll.holding.provider, enroll.holding.subject) = (claim.provider, claim.subject)
    enroll.holding.displayName = name
    enroll.device = Self.device(attempt ?? proof)
    enroll.secretHash = Self.secret(attempt ?? proof)
    enroll.deviceName = "phone \(attempt ?? proof)"
    _ = try ask(enroll, at: reply.owner)
    return (reply.owner, reply.isNew)
  }

  /// Returns the owner that is in the way; nil when the identity is the player's now.
  mutating func link(
    _ identity: UInt64, to player: PlayerID, proof: UInt64, movesFrom: PlayerID = PlayerID()
  ) throws -> PlayerID? {
    var claim = claim(identity, proof: proof)
    var reserve = ReserveIdentity()
    (reserve.player, reserve.identity) = (player, claim.identity)
    (reserve.provider, reserve.subject) = (claim.provider, claim.subject)
    claim.link = try ask(reserve, at: player).link
    claim.player = player
    let reply = try ask(claim, at: claim.identity)
    var isHeld = reply.owner == player
    if !isHeld, reply.owner == movesFrom {
      var giveUp = GiveUpIdentity()
      giveUp.player = reply.owner
      (giveUp.pass.identity, giveUp.pass.from) = (claim.identity, reply.link)
      (giveUp.pass.player, giveUp.pass.link) = (player, claim.link)
      _ = try ask(giveUp, at: reply.owner)
      isHeld = try ask(giveUp.pass, at: claim.identity).isPassed
    }
    let settled = try ask(
      SettleIdentity(player, claim.identity, link: claim.link, isHeld: isHeld), at: player)
    return settled.isHeld ? nil : reply.owner
  }
}

typealias MusterOperation = Wire.Operation

extension World {
  var gateway: IdentityGateway { IdentityGateway(world: self) }

  func identities(of player: PlayerID) throws -> [LinkedIdentity] {
    try driver.call(ListIdentities(), as: player).identities
  }

  /// Signs in with the credential that an attempt has made.
  @discardableResult
  func open(
    _ player: PlayerID, attempt: UInt64, session: UInt64 = 0, game: String = "game"
  ) throws -> UInt64 {
    try open(player, session: session, game: game) {
      $0.device = IdentityGateway.device(attempt)
      $0.secretHashes = [IdentityGateway.secret(attempt)]
    }.instance
  }
}
