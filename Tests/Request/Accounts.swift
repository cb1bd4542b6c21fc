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

  /// Makes all steps that the gateway lives for.
  private mutating func run<Outcome>(_ errand: IdentityErrand<Outcome>) throws -> Outcome {
    while true {
      if let outcome = errand.outcome { return outcome }
      guard stepsLeft > 0 else { throw Died() }
      stepsLeft -= 1
      try errand.step()
    }
  }

  @discardableResult
  mutating func signUp(
    _ identity: UInt64, proof: UInt64, attempt: UInt64? = nil, name: String = "Ada"
  ) throws -> IdentityOutcome {
    try run(signingUp(identity, proof: proof, attempt: attempt, name: name))
  }

  /// Returns the owner that is in the way; nil when the identity is the player's now.
  mutating func link(
    _ identity: UInt64, to player: PlayerID, proof: UInt64, movesFrom: PlayerID = PlayerID()
  ) throws -> PlayerID? {
    try run(linking(identity, to: player, proof: proof, movesFrom: movesFrom)).owner
  }
}

/// Of a link, the owner that is in the way; nil when the identity is the player's now.
struct LinkOutcome { var owner: PlayerID? }
struct IdentityOutcome {
  var player: PlayerID
  var isNew: Bool
}

protocol IdentitySteps: AnyObject {
  var isDone: Bool { get }
  func step() throws
}

/// A client's call at a gateway, which asks one thing after another; between two of them anything
/// may happen.
final class IdentityErrand<Outcome>: IdentitySteps {
  private let world: World
  private(set) var outcome: Outcome?
  private var next: (() throws -> Void)?

  init(_ world: World) { self.world = world }

  var isDone: Bool { next == nil }

  func step() throws {
    let step = next
    next = nil
    try step?()
  }

  func ask<O: MusterOperation, K>(
    _ operation: O, at key: Identifier<K>,
    then: @escaping (Result<O.Reply, Failure>) throws -> Void
  ) {
    next = { [world] in
      let result: Result<O.Reply, Failure>
      do {
        result = .success(
          try world.driver.call(
            operation, as: PlayerID(), key: RoutingKey(reinterpreting: key), kind: .service))
      } catch let failure as Failure {
        result = .failure(failure)
      }
      try then(result)
    }
  }

  /// Tells the owner what the identity's key says, and then fails, or ends.
  func tell(
    _ owner: PlayerID, _ identity: RoutingKey, link: UInt64, end: @escaping () throws -> Void
  ) {
    ask(SettleIdentity(owner, identity, link: link, isHeld: true), at: owner) { _ in try end() }
  }

  func end(_ outcome: Outcome) { self.outcome = outcome }
}

extension IdentityGateway {
  func signingUp(
    _ identity: UInt64, proof: UInt64, attempt: UInt64? = nil, name: String = "Ada"
  ) -> IdentityErrand<IdentityOutcome> {
    let errand = IdentityErrand<IdentityOutcome>(world)
    var claim = claim(identity, proof: proof, attempt: attempt)
    claim.displayName = name
    errand.ask(claim, at: claim.identity) { [claim] result in
      let reply = try result.get()
      var enroll = EnrollDevice()
      enroll.player = reply.owner
      enroll.holding.identity = claim.identity
      (enroll.holding.link, enroll.holding.makesPlayer) = (reply.link, reply.makesPlayer)
      (enroll.holding.provider, enroll.holding.subject) = (claim.provider, claim.subject)
      enroll.holding.displayName = name
      enroll.device = Self.device(attempt ?? proof)
      enroll.secretHash = Self.secret(attempt ?? proof)
      enroll.deviceName = "phone \(attempt ?? proof)"
      errand.ask(enroll, at: reply.owner) { result in
        switch result {
        case .success: errand.end(IdentityOutcome(player: reply.owner, isNew: reply.isNew))
        case .failure(let failure) where failure.code == .invalidCredential:
          errand.tell(reply.owner, claim.identity, link: reply.link) { throw failure }
        case .failure(let failure): throw failure
        }
      }
    }
    return errand
  }

  func linking(
    _ identity: UInt64, to player: PlayerID, proof: UInt64, movesFrom: PlayerID = PlayerID()
  ) -> IdentityErrand<LinkOutcome> {
    let errand = IdentityErrand<LinkOutcome>(world)
    let shown = claim(identity, proof: proof)
    var reserve = ReserveIdentity()
    (reserve.player, reserve.identity) = (player, shown.identity)
    (reserve.provider, reserve.subject) = (shown.provider, shown.subject)
    errand.ask(reserve, at: player) { result in
      var wanted = shown
      (wanted.link, wanted.player) = (try result.get().link, player)
      let claim = wanted
      errand.ask(claim, at: claim.identity) { result in
        let reply = try result.get()
        let isOwn = reply.owner == player
        if isOwn || reply.owner != movesFrom {
          settle(errand, claim, reply, isHeld: isOwn)
        } else {
          move(errand, claim, reply)
        }
      }
    }
    return errand
  }

  private func move(
    _ errand: IdentityErrand<LinkOutcome>, _ claim: ClaimIdentity, _ reply: ClaimIdentity.Reply
  ) {
    var giveUp = GiveUpIdentity()
    giveUp.player = reply.owner
    (giveUp.pass.identity, giveUp.pass.from) = (claim.identity, reply.link)
    (giveUp.pass.player, giveUp.pass.link) = (claim.player, claim.link)
    giveUp.pass.owner = reply.owner
    errand.ask(giveUp, at: reply.owner) { result in
      if case .failure(let failure) = result {
        return settle(errand, claim, reply, isHeld: false) { throw failure }
      }
      errand.ask(giveUp.pass, at: claim.identity) { result in
        settle(errand, claim, reply, isHeld: try result.get().isPassed)
      }
    }
  }

  private func settle(
    _ errand: IdentityErrand<LinkOutcome>, _ claim: ClaimIdentity, _ reply: ClaimIdentity.Reply,
    isHeld: Bool, end: (() throws -> Void)? = nil
  ) {
    let settle = SettleIdentity(claim.player, claim.identity, link: claim.link, isHeld: isHeld)
    errand.ask(settle, at: claim.player) { result in
      let isHeld = try result.get().isHeld
      let end = end ?? { errand.end(LinkOutcome(owner: isHeld ? nil : reply.owner)) }
      if isHeld || reply.makesPlayer || reply.owner == claim.player { return try end() }
      errand.tell(reply.owner, claim.identity, link: reply.link, end: end)
    }
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
