import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

@Suite struct SendRequestTests {
  let world = World()

  @Test("2.2 the server checks what the client checks", arguments: Breakage.all)
  func rules(_ breakage: Breakage) throws {
    let anna = try world.player(10)
    var request = SendRequest(to: [.sample(1)])
    breakage.apply(&request)
    let failure = try failure { try world.driver.call(request, as: anna) }
    #expect(failure?.argument == breakage.argument && failure?.code == breakage.code)
    #expect(world.driver.effects.isEmpty)
  }

  @Test("2.4 each recipient once, with an outcome")
  func outcomes() throws {
    let (anna, ben, carl) = (try world.player(1), try world.player(2), try world.player(3))
    try world.befriend(anna, ben)
    var request = SendRequest(to: [ben, carl, ben, anna])
    request.recipients.append("no player id")
    request.message = String(repeating: "m", count: 61)
    let reply = try world.driver.call(request, as: anna)
    #expect(
      reply.recipients.map(\.recipient)
        == [ben.description, carl.description, anna.description, "no player id"])
    #expect(
      reply.recipients.map(\.outcome) == [.queued, .notReachable, .notReachable, .notReachable])
    #expect(reply.warnings.count == 1)
    #expect(!reply.request.isNil)
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestReceived.self, of: ben).count == 1)
    #expect(try world.stream(of: carl).isEmpty)
  }

  @Test("2.2 where the deployment says so, long messages and titles are refused")
  func longTexts() throws {
    let world = World(settings: [.refuseLongTexts: 1])
    let anna = try world.player(1)
    var request = SendRequest(to: [.sample(2)])
    request.message = String(repeating: "m", count: 60)
    request.title = String(repeating: "t", count: 51)
    let failure = try failure { try world.driver.call(request, as: anna) }
    #expect(failure?.code == .invalidArgument && failure?.argument == "title")
    #expect(world.driver.effects.isEmpty)
    request.title.removeLast()
    #expect(try world.driver.call(request, as: anna).warnings.isEmpty)
  }

  @Test("2.7 a recipient sees the whole request and its sender")
  func content() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    var request = SendRequest(to: [ben])
    request.actionType = .askFor
    request.objectID = "life"
    request.data = "level=7"
    request.title = "Help"
    request.cta = "Give"
    let reply = try world.driver.call(request, as: anna)
    try world.restart()
    try world.driver.deliverOwnEffects()
    try world.restart()
    let received = try #require(try world.driver.call(Inbox(), as: ben).requests.first)
    #expect(received.request == reply.request && received.sender == anna)
    #expect(received.senderName == "Player 1" && received.message == "Play with me")
    #expect(received.actionType == .askFor && received.objectID == "life")
    #expect(received.data == "level=7" && received.title == "Help" && received.cta == "Give")
    #expect(received.sent == world.driver.clock)
    #expect(try world.events(RequestReceived.self, of: ben).map(\.request) == [received])
  }

  @Test("2.7 a request is of one game")
  func games() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    let reply = try world.driver.call(SendRequest(to: [ben]), as: anna)
    try world.driver.deliverOwnEffects()
    try world.open(ben, game: "other")
    #expect(try world.call(Inbox(), as: ben, game: "other").requests.isEmpty)
    #expect(try world.events(RequestReceived.self, of: ben, game: "other").isEmpty)
    let answer = try failure {
      try world.call(AnswerRequest(reply.request, accept: true), as: ben, game: "other")
    }
    #expect(answer?.code == .notFound)
    #expect(try world.driver.call(Inbox(), as: ben).requests.count == 1)
  }

  @Test("7.1 a retry gives the same reply and one delivery")
  func retry() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    let key = IdempotencyKey(instance: 77, counter: 5, floor: 5)
    let request = SendRequest(to: [ben])
    let first = try world.driver.call(request, as: anna, idempotency: key)
    let second = try world.driver.call(request, as: anna, idempotency: key)
    try world.restart()
    let third = try world.driver.call(request, as: anna, idempotency: key)
    #expect(first == second && second == third)
    try world.driver.deliverOwnEffects()
    #expect(try world.driver.call(Inbox(), as: ben).requests.count == 1)
    #expect(try world.events(RequestReceived.self, of: ben).count == 1)
  }

  @Test("2.9 a friendship that ended on the way drops the request, and the sender is told")
  func dropped() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    try world.driver.call(BlockPlayer(anna), as: ben)
    // The news of the block is still under way.
    let reply = try world.driver.call(SendRequest(to: [ben]), as: anna)
    #expect(reply.recipients.map(\.outcome) == [.queued])
    try world.driver.deliverOwnEffects()
    #expect(try world.driver.call(Inbox(), as: ben).requests.isEmpty)
    let dropped = try world.events(RequestDropped.self, of: anna)
    #expect(dropped.map(\.outcome) == [.notReachable])
    #expect(dropped.map(\.request) == [reply.request] && dropped.map(\.recipient) == [ben])
  }

  @Test("2.10 a sender over budget is told when to try again, and nothing is sent")
  func senderBudget() throws {
    let anna = try world.player(1)
    let others = (0..<50).map { PlayerID.sample(1000 + $0) }
    for _ in 0..<world.driver.core.settings[.sendBurst] / 50 {
      try world.driver.call(SendRequest(to: others), as: anna)
    }
    let over = try failure { try world.driver.call(SendRequest(to: others), as: anna) }
    #expect(over?.code == .rateLimited)
    let refill = UInt32(world.driver.core.settings[.sendRefill])
    #expect(over?.retryAfterMilliseconds == 50 * refill)
    world.driver.clock += Int64(over?.retryAfterMilliseconds ?? 0) - 1
    #expect(try failure { try world.driver.call(SendRequest(to: others), as: anna) } != nil)
    world.driver.clock += 1
    #expect(try failure { try world.driver.call(SendRequest(to: others), as: anna) } == nil)
  }

  @Test("2.10 a budget is kept over a restart, and its row goes when it is full")
  func keptBudget() throws {
    let anna = try world.player(1)
    let others = (0..<50).map { PlayerID.sample(1000 + $0) }
    let settings = world.driver.core.settings
    for _ in 0..<settings[.sendBurst] / 50 {
      try world.driver.call(SendRequest(to: others), as: anna)
    }
    let before = try failure { try world.driver.call(SendRequest(to: others), as: anna) }
    try world.restart()
    let after = try failure { try world.driver.call(SendRequest(to: others), as: anna) }
    #expect(after?.code == .rateLimited)
    #expect(after?.retryAfterMilliseconds == before?.retryAfterMilliseconds)
    world.driver.clock += settings[.sendBurst] * settings[.sendRefill]
    try world.driver.call(SendRequest(to: others), as: try world.player(2))
    #expect(world.driver.rows[PlayerBudgetRow.tableID]?.count == 1, "Anna's is full, and gone")
  }

  @Test("2.10 a recipient over budget drops, and the sender is told when to try again")
  func recipientBudget() throws {
    let (ben, senders) = (try world.player(2), try [world.player(10), world.player(11)])
    for sender in senders {
      try world.befriend(sender, ben)
      for _ in 0..<150 { try world.driver.call(SendRequest(to: [ben]), as: sender) }
    }
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestReceived.self, of: ben).count == 200)
    let dropped = try world.events(RequestDropped.self, of: senders[1])
    #expect(dropped.count == 100)
    #expect(dropped.allSatisfy { $0.outcome == .limitReached && $0.retryAfterMilliseconds > 0 })
  }

  @Test("2.4 a full list of requests drops, and the sender is told")
  func fullInbox() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    for _ in 0...world.driver.core.settings[.inboxMax] {
      world.driver.clock += world.driver.core.settings[.sendRefill]
      try world.driver.call(SendRequest(to: [ben]), as: anna)
      try world.driver.deliverOwnEffects()
    }
    let dropped = try world.events(RequestDropped.self, of: anna)
    #expect(dropped.map(\.outcome) == [.limitReached])
    #expect(dropped.map(\.retryAfterMilliseconds) == [0])
  }
}
