import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

/// Random histories of players, identities and gateways that die between any two steps, whose steps
/// come between each other's, with effects that come late, doubled and across restarts.
private final class IdentityHistory {
  let world = World()
  var random: RandomSource
  /// Those who were promised to be there.
  var players: [PlayerID] = []
  private var proofs: UInt64 = 0
  /// What gateways have begun.
  private var errands: [any IdentitySteps] = []

  init(seed: UInt64) throws {
    random = .seeded(seed)
    for number in UInt64(1)...3 { players.append(try world.player(number)) }
  }

  private func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
  private func identity() -> UInt64 { UInt64(number(1...4)) }
  private func player() -> PlayerID { players[number(0...players.count - 1)] }

  func step() throws {
    world.driver.clock += Int64(number(0...50))
    var gateway = world.gateway
    if number(0...2) == 0 { gateway.stepsLeft = number(0...5) }
    proofs += 1
    switch number(0...31) {
    case 16...17: errands.append(gateway.signingUp(identity(), proof: proofs))
    case 18...19: errands.append(gateway.linking(identity(), to: player(), proof: proofs))
    case 20...21:
      errands.append(
        gateway.linking(identity(), to: player(), proof: proofs, movesFrom: player()))
    case 22...31: goOn()
    case 0...4:
      if let reply = try? gateway.signUp(identity(), proof: proofs),
        !players.contains(reply.player)
      {
        players.append(reply.player)
      }
    case 5...7: _ = try? gateway.link(identity(), to: player(), proof: proofs)
    case 8, 9: _ = try? gateway.link(identity(), to: player(), proof: proofs, movesFrom: player())
    case 10, 11:
      var unlink = UnlinkIdentity()
      unlink.identity = IdentityGateway.identity(identity())
      _ = try? world.driver.call(unlink, as: player())
    case 12: if number(0...5) == 0 { try world.restart() }
    case 13: if number(0...9) == 0 { world.driver.pass(AccountLimits.reservationMilliseconds) }
    default: try deliverOne()
    }
  }

  /// A gateway makes one more step, or dies.
  private func goOn() {
    guard let errand = errands.randomElement(using: &random) else { return }
    if number(0...15) > 0 { try? errand.step() } else { errands.removeAll { $0 === errand } }
    errands.removeAll(where: \.isDone)
  }

  private func deliverOne() throws {
    let isDoubled = number(0...3) == 0
    if Bool.random(using: &random) {
      _ = try world.driver.deliverFirst(SettleIdentity.self, isDoubled: isDoubled)
    } else {
      _ = try world.driver.deliverFirst(PassIdentity.self, isDoubled: isDoubled)
    }
  }

  /// Everything under way comes to its end; then both sides of each identity agree.
  func settle() throws {
    while !errands.isEmpty { goOn() }
    #expect(try world.driver.deliverOwnEffects().isEmpty)
    world.driver.pass(AccountLimits.reservationMilliseconds)
    #expect(try world.driver.deliverOwnEffects().isEmpty)
    var lists: [RoutingKey: PlayerID] = [:]
    let rows = try world.driver.rows[16]?.values.map { try PlayerRowKey(decoding: $0).player } ?? []
    #expect(Set(players).isSubset(of: rows), "a player is lost")
    for player in rows {
      for identity in try world.identities(of: player) {
        #expect(lists.updateValue(player, forKey: identity.identity) == nil, "held twice")
      }
    }
    let rowCount = world.driver.rows[PlayerIdentityRow.tableID]?.count ?? 0
    #expect(rowCount == lists.count, "a row stays for nothing")
    for number in UInt64(1)...4 {
      proofs += 1
      var gateway = world.gateway
      let reply = try gateway.signUp(number, proof: proofs)
      let held = lists[IdentityGateway.identity(number)]
      #expect(held == (reply.isNew ? nil : reply.player), "identity \(number)")
      if reply.isNew { players.append(reply.player) }
      try world.driver.deliverOwnEffects()
    }
  }
}

/// The first field of a player's row.
private struct PlayerRowKey: Message {
  var player = PlayerID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}

@Suite(.inTurn) struct IdentitySimulationTests {
  @Test(
    "7.1 whatever dies and whatever comes late, an identity is one player's, and that one is told",
    arguments: 1...60 as ClosedRange<UInt64>)
  func histories(seed: UInt64) throws {
    let history = try IdentityHistory(seed: seed)
    for _ in 0..<4 {
      for _ in 0..<120 { try history.step() }
      try history.settle()
    }
  }
}
