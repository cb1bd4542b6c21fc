import Domain
import Operations
import RequestCore
import TestKit
import Testing
import Wire

@Suite struct ConfirmMatchTests {
  let world = World()

  /// What the player's key answers a queue that has found a match with the others.
  private func answer(_ player: PlayerID, with others: [PlayerID]) throws -> MatchConfirmed? {
    var question = ConfirmMatch()
    question.player = player
    question.queue = RoutingKey(game: "game", name: "0")
    question.match = .sample(50)
    question.others = others
    try world.driver.call(question, as: PlayerID(), kind: .service)
    let answers = try world.driver.takeEffects(MatchConfirmed.self)
    #expect(answers.map(\.key) == [question.queue])
    let answer = answers.first?.operation
    #expect(answer?.player == player && answer?.match == question.match)
    return answer
  }

  @Test("3.2 2.9 a player's key confirms a match unless the player blocks one of the others")
  func blocks() throws {
    let (anna, ben, cleo) = (try world.player(1), try world.player(2), try world.player(3))
    #expect(try answer(anna, with: [ben, cleo])?.blocked == [])
    try world.driver.call(BlockPlayer(cleo), as: anna)
    try world.driver.call(BlockPlayer(.sample(9)), as: anna)
    // The block holds from here on, before anybody else has heard of it.
    #expect(try answer(anna, with: [ben, cleo])?.blocked.sorted() == [cleo, .sample(9)])
    #expect(try answer(anna, with: [ben])?.blocked == [])
    #expect(try answer(cleo, with: [anna])?.blocked == [])
    let byPlayer = try failure {
      var question = ConfirmMatch()
      question.player = ben
      try world.driver.call(question, as: ben)
    }
    #expect(byPlayer?.code == .notAllowed)
  }
}
