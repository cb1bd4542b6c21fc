import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

@Suite struct GameTests {
  let world = World()

  private func declare(_ game: String, as kind: PrincipalKind = .deploymentOperator) throws
    -> DefinitionChange
  {
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: kind, game: game, player: PlayerID(), device: DeviceID())
    envelope.routingKey = RoutingKey(game: game)
    let request = Request(
      opcode: DeclareGame.opcode, envelope: envelope, body: DeclareGame().encoded, link: 1)
    return try DeclareGame.Reply(decoding: world.driver.answer(request)).change
  }

  private func isDeclared(_ game: String) throws -> Bool {
    try world.driver.call(FetchGame(game), as: .sample(1), kind: .service).isDeclared
  }

  @Test("an operator declares games, once and for good")
  func declaring() throws {
    #expect(try !isDeclared("demo"))
    #expect(try declare("demo") == .created)
    #expect(try isDeclared("demo") && !isDeclared("dem") && !isDeclared("demo "))
    #expect(try declare("demo") == .unchanged)
    try world.restart()
    #expect(try isDeclared("demo") && !isDeclared("other"))
    #expect(try declare("demo") == .unchanged && declare("other") == .created)
  }

  @Test("who declares a game says which, and is an operator")
  func refused() throws {
    let nameless = try failure { _ = try declare("") }
    #expect(nameless?.code == .requiredArgument && nameless?.argument == "game")
    #expect(nameless?.text == "A game is required.")
    #expect(try failure { _ = try declare("demo", as: .gameServer) }?.code == .notAllowed)
    #expect(try failure { _ = try declare("demo", as: .player) }?.code == .notAllowed)
    #expect(try !isDeclared("demo"))
  }
}
