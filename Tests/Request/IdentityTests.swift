import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

@Suite struct IdentityTests {
  let world = World()

  @Test("7.1 an identity makes one player, whoever signs in with it and however often")
  func onePlayer() throws {
    var gateway = world.gateway
    let first = try gateway.signUp(1, proof: 1, name: "Ada")
    let second = try gateway.signUp(1, proof: 2, name: "Other")
    #expect(first.isNew && !second.isNew && first.player == second.player)
    #expect(try gateway.signUp(2, proof: 3).player != first.player)
    try world.open(first.player, attempt: 1)
    try world.open(first.player, attempt: 2)
    let profile = try world.driver.call(GetProfile(first.player), as: first.player)
    #expect(profile.displayName == "Ada")
    try world.driver.deliverOwnEffects()
    #expect(try world.identities(of: first.player).map(\.subject) == ["subject 1"])
  }

  @Test("7.1 a gateway that dies after any step loses no player and makes none twice")
  func crashes() throws {
    for stepCount in 0...2 {
      for delivers in [false, true] {
        let world = World()
        var dying = world.gateway
        dying.stepsLeft = stepCount
        let outcome = try? dying.signUp(1, proof: 1)
        #expect((outcome == nil) == (stepCount < 2))
        if delivers { try world.driver.deliverOwnEffects() }
        try world.restart()
        // The same attempt goes on; and a new one finds the same player.
        var gateway = world.gateway
        let player = try gateway.signUp(1, proof: 1).player
        #expect(try gateway.signUp(1, proof: 2).player == player)
        if let outcome { #expect(outcome.player == player) }
        try world.driver.deliverOwnEffects()
        #expect(world.driver.core.players.count == 1)
        for attempt in [1, 2] as [UInt64] { try world.open(player, attempt: attempt) }
        #expect(try world.identities(of: player).count == 1)
      }
    }
  }

  @Test("7.2 a proof counts once, but for the attempt that it came with")
  func proofOnce() throws {
    var gateway = world.gateway
    let player = try gateway.signUp(1, proof: 1).player
    try world.restart()
    let stolen = try failure { try gateway.signUp(1, proof: 1, attempt: 2) }
    #expect(stolen?.code == .invalidCredential)
    #expect(try gateway.signUp(1, proof: 1).player == player)
    #expect(
      try failure { _ = try gateway.link(1, to: player, proof: 1) }?.code == nil,
      "the attempt goes on with another call")
  }

  @Test("7.2 used proofs are kept until they would be refused for their age, and no longer")
  func expiry() throws {
    var gateway = world.gateway
    try gateway.signUp(1, proof: 1)
    #expect(world.driver.rows[28]?.count == 1)
    world.driver.pass(599_999)
    #expect(world.driver.rows[28]?.count == 1)
    try world.restart()
    world.driver.pass(1)
    #expect(world.driver.rows[28]?.isEmpty == true)
    var late = gateway.claim(1, proof: 9)
    late.until = world.driver.clock
    #expect(
      try failure { _ = try gateway.ask(late, at: late.identity) }?.code == .invalidCredential)
  }

  @Test("2.10 used proofs of one identity are bounded, and the refusal says when there is room")
  func proofBound() throws {
    var gateway = world.gateway
    for proof in 1...UInt64(AccountLimits.proofsMax) {
      world.driver.clock += 1
      try gateway.signUp(1, proof: proof)
    }
    let refusal = try failure { try gateway.signUp(1, proof: 999) }
    #expect(refusal?.code == .rateLimited)
    let wait = Int64(try #require(refusal?.retryAfterMilliseconds))
    #expect(wait == 600_000 - Int64(AccountLimits.proofsMax - 1))
    #expect(try failure { try gateway.signUp(1, proof: 7) } == nil, "a repeated attempt is let in")
    world.driver.pass(wait)
    try gateway.signUp(1, proof: 999)
    #expect(world.driver.rows[28]?.count == AccountLimits.proofsMax)
  }

  @Test("7.2 a new player needs a name, and what is refused uses nothing up")
  func name() throws {
    var gateway = world.gateway
    let refusal = try failure { try gateway.signUp(1, proof: 1, name: "") }
    #expect(refusal?.code == .invalidArgument && refusal?.argument == "displayName")
    #expect(world.driver.rows[27] == nil && world.driver.rows[28] == nil)
    let player = try gateway.signUp(1, proof: 1, attempt: 2, name: "Ada").player
    #expect(try gateway.signUp(1, proof: 3, name: "").player == player)
  }

  @Test("7.2 no player, game server or operator asks what a gateway asks")
  func access() throws {
    let anna = try world.player(1)
    var gateway = world.gateway
    try gateway.signUp(1, proof: 1)
    for kind in [PrincipalKind.player, .gameServer, .deploymentOperator, .anonymous] {
      func code<O: MusterOperation>(_ operation: O) throws -> FailureCode? {
        try failure {
          try world.driver.call(operation, as: anna, key: RoutingKey(high: 0, low: 1), kind: kind)
        }?.code
      }
      for refused in [
        try code(EnrollDevice()), try code(SettleIdentity()), try code(GiveUpIdentity()),
        try code(PassIdentity()), try code(ExpireProofs()), try code(ExpireReservations()),
        try code(OpenSession()),
      ] {
        #expect(refused == .notAllowed || refused == .notAuthenticated, "\(kind)")
      }
      // A gateway makes these in an operator's name, and passes on none of a client.
      if kind == .deploymentOperator { continue }
      for refused in [try code(ReserveIdentity()), try code(gateway.claim(1, proof: 2))] {
        #expect(refused == .notAllowed || refused == .notAuthenticated, "\(kind)")
      }
    }
  }

  @Test("7.2 a linked identity signs in as the player, and a conflict says whose one is")
  func link() throws {
    let anna = try world.player(1)
    var gateway = world.gateway
    let ben = try gateway.signUp(2, proof: 1).player
    #expect(try gateway.link(1, to: anna, proof: 2) == nil)
    #expect(try gateway.link(1, to: anna, proof: 3) == nil, "again")
    #expect(try gateway.link(2, to: anna, proof: 4) == ben)
    try world.driver.deliverOwnEffects()
    #expect(try world.identities(of: anna).map(\.subject) == ["subject 1"])
    #expect(try gateway.signUp(1, proof: 5).player == anna)
    #expect(try gateway.signUp(2, proof: 4).player == ben, "the attempt goes on as the other")
    try world.open(anna, attempt: 5)
  }

  @Test("7.2 identities of a player are bounded, those under way included")
  func bound() throws {
    let anna = try world.player(1)
    var gateway = world.gateway
    for number in 1...UInt64(AccountLimits.identitiesMax) {
      gateway.stepsLeft = number % 2 == 0 ? 1 : .max
      _ = try? gateway.link(number, to: anna, proof: number)
    }
    gateway.stepsLeft = .max
    let refusal = try failure { _ = try gateway.link(99, to: anna, proof: 99) }
    #expect(refusal?.code == .limitReached)
    // Places that were kept in vain are free again.
    world.driver.pass(AccountLimits.reservationMilliseconds)
    #expect(try gateway.link(99, to: anna, proof: 100) == nil)
    #expect(try world.identities(of: anna).count == AccountLimits.identitiesMax / 2 + 1)
  }

  @Test("7.2 an unlinked identity signs nobody in as the player, at once and later")
  func unlink() throws {
    let anna = try world.player(1)
    var gateway = world.gateway
    #expect(try gateway.link(1, to: anna, proof: 1) == nil)
    try world.driver.deliverOwnEffects()
    let identity = try #require(try world.identities(of: anna).first).identity
    try world.driver.call(unlink(identity), as: anna)
    #expect(try world.identities(of: anna).isEmpty)
    let early = try failure { try gateway.signUp(1, proof: 2) }
    #expect(early?.code == .invalidCredential, "its own key has not heard of it yet")
    #expect(
      try failure { try world.driver.call(unlink(identity), as: anna) }?.code == .notFound)
    try world.driver.deliverOwnEffects()
    let other = try gateway.signUp(1, proof: 3)
    #expect(other.isNew && other.player != anna)
    #expect(try gateway.link(1, to: anna, proof: 4) == other.player)
  }

  @Test("7.2 what was unlinked can be linked again before its key has heard of it")
  func linkAgain() throws {
    let anna = try world.player(1)
    var gateway = world.gateway
    #expect(try gateway.link(1, to: anna, proof: 1) == nil)
    try world.driver.deliverOwnEffects()
    try world.driver.call(unlink(IdentityGateway.identity(1)), as: anna)
    #expect(try gateway.link(1, to: anna, proof: 2) == nil)
    try world.driver.deliverOwnEffects()
    #expect(try world.identities(of: anna).count == 1)
    #expect(try gateway.signUp(1, proof: 3).player == anna)
  }

  @Test("7.2 the last way to sign in is not given up, by unlinking or by a move")
  func lastWayIn() throws {
    let anna = try world.player(1)
    var gateway = world.gateway
    let ben = try gateway.signUp(2, proof: 1).player
    try world.driver.deliverOwnEffects()
    try world.loseDevices()
    #expect(world.driver.core.devices.count(of: ben) == 0)
    let identity = IdentityGateway.identity(2)
    let refusal = try failure { try world.driver.call(unlink(identity), as: ben) }
    #expect(refusal?.code == .conflict && refusal?.argument == "identity")
    let moved = try failure { _ = try gateway.link(2, to: anna, proof: 3, movesFrom: ben) }
    #expect(moved?.code == .conflict)
    #expect(try gateway.signUp(2, proof: 4).player == ben)
    // With a device again, it may go.
    try world.driver.call(unlink(identity), as: ben)
  }

  @Test("7.2 an identity moves to the player who shows it, at the owner's word")
  func move() throws {
    let anna = try world.player(1)
    for stepCount in 0...6 {
      for delivers in [false, true] {
        let (identity, proof) = (UInt64(10 + stepCount * 2 + (delivers ? 1 : 0)), world.next())
        var gateway = world.gateway
        let ben = try gateway.signUp(identity, proof: proof).player
        var dying = world.gateway
        dying.stepsLeft = stepCount
        let link = world.next()
        _ = try? dying.link(identity, to: anna, proof: link, movesFrom: ben)
        if delivers { try world.driver.deliverOwnEffects() }
        try world.restart()
        // The same proof goes on, from wherever it was.
        #expect(try gateway.link(identity, to: anna, proof: link, movesFrom: ben) == nil)
        try world.driver.deliverOwnEffects()
        #expect(try gateway.signUp(identity, proof: world.next()).player == anna)
        #expect(try world.identities(of: ben).isEmpty)
        let own = try world.identities(of: anna).map(\.identity)
        #expect(own == [IdentityGateway.identity(identity)])
        try world.driver.call(unlink(own[0]), as: anna)
        try world.driver.deliverOwnEffects()
      }
    }
  }

  /// Where both sides of identity 1 agree: whose it is; nil for nobody's.
  private func owner() throws -> PlayerID? {
    try world.driver.deliverOwnEffects()
    let owner = world.driver.core.identities[IdentityGateway.identity(1)]
    let lists = world.driver.core.holdings.groups.flatMap { player in
      world.driver.core.holdings.rows(of: player).filter { $0.key.identity.low == 1 }
    }
    #expect(lists.map(\.key.player) == [owner?.owner].compactMap(\.self), "one list has it")
    #expect(lists.allSatisfy { $0.state == .held && $0.link == owner?.link })
    return owner?.owner
  }

  @Test("7.2 a claim that comes late takes no identity from its player")
  func lateClaim() throws {
    let anna = try world.player(1)
    var gateway = world.gateway
    for delivers in [false, true] {
      let late = gateway.linking(1, to: anna, proof: world.next())
      try late.step()
      #expect(try gateway.link(1, to: anna, proof: world.next()) == nil)
      try world.driver.deliverOwnEffects()
      try world.driver.call(unlink(IdentityGateway.identity(1)), as: anna)
      if delivers { try world.driver.deliverOwnEffects() }
      #expect(try gateway.link(1, to: anna, proof: world.next()) == nil)
      #expect(try owner() == anna)
      while !late.isDone { _ = try? late.step() }
      // Before the news of it have come, too.
      #expect(try gateway.signUp(1, proof: world.next()).player == anna)
      #expect(try owner() == anna)
      // Of a claim without the steps after it as well, and before an unlinking.
      let claim = gateway.linking(1, to: anna, proof: world.next())
      try claim.step()
      try world.driver.call(unlink(IdentityGateway.identity(1)), as: anna)
      try claim.step()
      #expect(try owner() == nil)
      while !claim.isDone { _ = try? claim.step() }
      #expect(try owner() == nil)
    }
  }

  @Test("7.2 two claims that come late, and an unlinking between, take nothing either")
  func lateClaims() throws {
    let anna = try world.player(1)
    var gateway = world.gateway
    let late = (0..<2).map { _ in gateway.linking(1, to: anna, proof: world.next()) }
    for errand in late { try errand.step() }
    #expect(try gateway.link(1, to: anna, proof: world.next()) == nil)
    #expect(try owner() == anna)
    try world.driver.call(unlink(IdentityGateway.identity(1)), as: anna)
    #expect(try owner() == nil)
    // The first one finds it nobody's; what comes of that is under way when the second comes.
    try late[0].step()
    #expect(try world.driver.deliverFirst(SettleIdentity.self))
    #expect(try gateway.link(1, to: anna, proof: world.next()) == nil)
    try late[1].step()
    #expect(try owner() == anna)
  }

  @Test("7.2 a conflict of one call leaves the place that another one has reserved as well")
  func sharedPlace() throws {
    for order in 0...1 {
      let anna = try world.player(UInt64(1 + order))
      var gateway = world.gateway
      let ben = try gateway.signUp(1, proof: world.next()).player
      try world.driver.deliverOwnEffects()
      let asking = gateway.linking(1, to: anna, proof: world.next())
      let moving = gateway.linking(1, to: anna, proof: world.next(), movesFrom: ben)
      for errand in order == 0 ? [asking, moving] : [moving, asking] {
        try errand.step()
        try errand.step()
      }
      while !asking.isDone { try asking.step() }
      #expect(asking.outcome?.owner == ben)
      while !moving.isDone { try moving.step() }
      #expect(moving.outcome?.owner == nil && moving.outcome != nil)
      #expect(try owner() == anna)
      try world.driver.call(unlink(IdentityGateway.identity(1)), as: anna)
      #expect(try owner() == nil)
    }
  }

  @Test("7.2 calls that met a conflict leave no place behind, and one that dies only for a while")
  func placesGo() throws {
    let anna = try world.player(1)
    var gateway = world.gateway
    let ben = try gateway.signUp(1, proof: 1).player
    try world.driver.deliverOwnEffects()
    let two = [2, 3].map { gateway.linking(1, to: anna, proof: $0) }
    for errand in two { try errand.step() }
    for errand in two { while !errand.isDone { try errand.step() } }
    #expect(world.driver.core.holdings.count(of: anna) == 0)
    let dying = gateway.linking(1, to: anna, proof: 4)
    try dying.step()
    #expect(try gateway.link(1, to: anna, proof: 5) == ben)
    #expect(world.driver.core.holdings.count(of: anna) == 1)
    world.driver.pass(AccountLimits.reservationMilliseconds)
    #expect(world.driver.core.holdings.count(of: anna) == 0)
  }

  @Test("7.2 what is given up goes from the list, also where its key has another link")
  func leavingGoes() throws {
    let anna = try world.player(1)
    var gateway = world.gateway
    #expect(try gateway.link(1, to: anna, proof: 1) == nil)
    #expect(try owner() == anna)
    // The identity's key comes from a backup in which another link is the newest.
    var row = try #require(world.driver.core.identities[IdentityGateway.identity(1)])
    row.link &+= 1
    var rows = world.driver.rows
    for key in (rows[IdentityRow.tableID] ?? [:]).keys {
      rows[IdentityRow.tableID]?[key] = row.encoded
    }
    try world.driver.restore(rows)
    try world.driver.call(unlink(IdentityGateway.identity(1)), as: anna)
    try world.driver.deliverOwnEffects()
    #expect(world.driver.core.holdings.count(of: anna) == 0)
  }

  @Test("7.2 whoever is banned gives no identity up, to come back by it")
  func bannedHolds() throws {
    let (anna, other) = (try world.player(1), try world.player(2))
    var gateway = world.gateway
    #expect(try gateway.link(1, to: anna, proof: 1) == nil)
    try world.driver.deliverOwnEffects()
    var ban = BanPlayer()
    (ban.player, ban.until) = (anna, world.driver.clock + 1_000)
    try world.call(ban, as: PlayerID(), game: "other", kind: .gameServer)
    let refusal = try failure {
      try world.driver.call(unlink(IdentityGateway.identity(1)), as: anna)
    }
    #expect(refusal?.code == .banned)
    #expect(try Ban(decoding: try #require(refusal).detail.array).game == "other")
    let moved = try failure { _ = try gateway.link(1, to: other, proof: 2, movesFrom: anna) }
    #expect(moved?.code == .banned)
    #expect(try owner() == anna)
    #expect(world.driver.core.holdings.count(of: other) == 0)
    world.driver.pass(1_000)
    #expect(try gateway.link(1, to: other, proof: 3, movesFrom: anna) == nil)
    #expect(try owner() == other)
  }

  @Test("7.2 an identity is not stuck where its player's list comes from a backup")
  func listRestored() throws {
    for way in 0...2 {
      let world = World()
      let (anna, ben) = (try world.player(1), try world.player(2))
      let before = world.driver.rows[PlayerIdentityRow.tableID]
      var gateway = world.gateway
      #expect(try gateway.link(1, to: anna, proof: 1) == nil)
      try world.driver.deliverOwnEffects()
      var rows = world.driver.rows
      rows[PlayerIdentityRow.tableID] = before
      try world.driver.restore(rows)
      // Anna does not know of it, and is told by whoever shows the identity.
      switch way {
      case 0:
        #expect(try failure { try gateway.signUp(1, proof: 2) }?.code == .invalidCredential)
      case 1: #expect(try gateway.link(1, to: ben, proof: 2) == anna)
      default:
        let refusal = try failure { _ = try gateway.link(1, to: ben, proof: 2, movesFrom: anna) }
        #expect(refusal?.code == .conflict)
      }
      try world.driver.deliverOwnEffects()
      #expect(try gateway.link(1, to: ben, proof: 3) == nil)
      #expect(try gateway.signUp(1, proof: 4).player == ben)
    }
  }

  @Test("7.2 an identity is not stuck where its own key comes from a backup")
  func keyRestored() throws {
    let anna = try world.player(1)
    var gateway = world.gateway
    #expect(try gateway.link(1, to: anna, proof: 1) == nil)
    #expect(try owner() == anna)
    let before = world.driver.rows[IdentityRow.tableID]
    try world.driver.call(unlink(IdentityGateway.identity(1)), as: anna)
    #expect(try owner() == nil)
    #expect(try gateway.link(1, to: anna, proof: 2) == nil)
    #expect(try owner() == anna)
    var rows = world.driver.rows
    rows[IdentityRow.tableID] = before
    try world.driver.restore(rows)
    #expect(try gateway.signUp(1, proof: 3).player == anna)
    #expect(try owner() == anna)
  }

  @Test("7.1 a repeated sign-up says of its player what the first one did")
  func repeatedIsNew() throws {
    var gateway = world.gateway
    gateway.stepsLeft = 1
    _ = try? gateway.signUp(1, proof: 1)
    try world.driver.deliverOwnEffects()
    try world.restart()
    gateway.stepsLeft = .max
    #expect(try gateway.signUp(1, proof: 1).isNew)
    #expect(try !gateway.signUp(1, proof: 2).isNew)
    #expect(try gateway.signUp(1, proof: 1).isNew)
    // The player of the first proof has given it up, and another one was made.
    let player = try gateway.signUp(1, proof: 1).player
    try world.open(player, attempt: 1)
    try world.call(
      unlink(IdentityGateway.identity(1)), as: player, game: "game",
      device: IdentityGateway.device(1))
    try world.driver.deliverOwnEffects()
    let other = try gateway.signUp(1, proof: 3)
    #expect(other.isNew && other.player != player)
    let again = try gateway.signUp(1, proof: 1)
    #expect(!again.isNew && again.player == other.player)
  }

  private func unlink(_ identity: RoutingKey) -> UnlinkIdentity {
    var unlink = UnlinkIdentity()
    unlink.identity = identity
    return unlink
  }
}

extension World {
  /// The devices that have a credential of identities are gone, without a session to say so with.
  func loseDevices() throws {
    var rows = driver.rows
    rows[DeviceRow.tableID] = rows[DeviceRow.tableID]?.filter { _, bytes in
      (try? DeviceRow(decoding: bytes))?.provider.isEmpty == true
    }
    try driver.restore(rows)
  }

  /// A number that no proof of this test has had.
  func next() -> UInt64 {
    driver.clock += 1
    return UInt64(driver.clock)
  }
}
