import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

/// Accounts that nobody has ever signed in with.
@Suite struct UnusedAccountTests {
  private let world: World
  private let anna = PlayerID.sample(1)

  init() { self.init(World()) }
  private init(_ world: World) { self.world = world }

  private func signUp(_ player: PlayerID) throws {
    try world.driver.call(world.registration(player), as: player, kind: .service)
  }

  private func isThere(_ player: PlayerID) throws -> Bool {
    var fetch = FetchPlayer()
    fetch.player = player
    return try world.call(fetch, as: .sample(99), game: "game", kind: .service).isReachable
  }

  /// The rows that are kept of all players together.
  private var rowCount: Int {
    (world.driver.rows[PlayerRow.tableID]?.count ?? 0)
      + (world.driver.rows[DeviceRow.tableID]?.count ?? 0)
  }

  @Test("an account that nobody signs in with is gone after thirty days, and can be made anew")
  func expires() throws {
    try signUp(anna)
    #expect(rowCount == 2)
    world.driver.pass(30 * World.day - 1)
    #expect(try isThere(anna))
    world.driver.pass(1)
    #expect(try !isThere(anna) && rowCount == 0)
    #expect(try failure { try world.open(anna) }?.code == .invalidCredential)
    try signUp(anna)
    try world.open(anna)
    #expect(try isThere(anna))
  }

  @Test("whoever has signed in once keeps the account, also when all sessions are long over")
  func used() throws {
    try signUp(anna)
    world.driver.pass(30 * World.day - 1)
    try world.open(anna)
    world.driver.close(session: 0)
    world.driver.pass(400 * World.day)
    #expect(try isThere(anna))
    try world.restart()
    world.driver.pass(400 * World.day)
    #expect(try isThere(anna))
    try world.open(anna)
  }

  @Test("a start of the process neither prolongs the time nor cuts it short")
  func restarts() throws {
    try signUp(anna)
    world.driver.pass(10 * World.day)
    try world.restart()
    world.driver.pass(20 * World.day - 1)
    #expect(try isThere(anna))
    try world.restart()
    #expect(try isThere(anna))
    world.driver.pass(1)
    #expect(try !isThere(anna))
  }

  @Test("while another player waits for an answer the account stays")
  func invited() throws {
    let ben = try world.player(2)
    try signUp(anna)
    try world.driver.call(InviteFriend(anna), as: ben)
    try world.driver.deliverOwnEffects()
    world.driver.pass(90 * World.day)
    #expect(try isThere(anna))
    try world.open(anna)
  }

  private func ban(_ player: PlayerID, days: Int64) throws {
    var ban = BanPlayer()
    ban.player = player
    ban.until = world.driver.clock + days * World.day
    try world.call(ban, as: player, game: "", kind: .deploymentOperator)
  }

  @Test("a ban stays known, and the account goes when it is over")
  func banned() throws {
    try signUp(anna)
    try ban(anna, days: 40)
    world.driver.pass(40 * World.day - 1)
    #expect(try isThere(anna))
    world.driver.pass(1)
    #expect(try !isThere(anna))
  }

  @Test("where 0 keeps all accounts, the end of a ban takes none")
  func bannedAndKept() throws {
    let world = World(settings: [.unusedAccount: 0])
    let unused = UnusedAccountTests(world)
    try unused.signUp(anna)
    try unused.ban(anna, days: 1)
    #expect(try failure { try world.open(anna) }?.code == .banned)
    world.driver.pass(World.day)
    #expect(world.driver.rows[BanRow.tableID]?.isEmpty != false, "the ban has ended")
    #expect(try unused.isThere(anna) && unused.rowCount == 2)
    try world.open(anna)
  }

  @Test("a player who was made for an identity is kept")
  func identity() throws {
    var gateway = world.gateway
    let player = try gateway.signUp(1, proof: 1).player
    try world.driver.deliverOwnEffects()
    world.driver.pass(400 * World.day)
    #expect(try isThere(player))
  }

  @Test("the time is set by the operator, and 0 keeps all accounts", arguments: [0, 2])
  func setting(days: Int) throws {
    let world = World(settings: [.unusedAccount: days])
    let unused = UnusedAccountTests(world)
    try unused.signUp(anna)
    world.driver.pass(2 * World.day)
    #expect(try unused.isThere(anna) == (days == 0))
    try world.restart(settings: [.unusedAccount: days])
    world.driver.pass(1000 * World.day)
    #expect(try unused.isThere(anna) == (days == 0))
  }
}
