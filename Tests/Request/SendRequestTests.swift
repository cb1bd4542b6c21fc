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

  @Test("2.10 a recipient over budget drops, and each sender is told when to try again")
  func recipientBudget() throws {
    let (ben, senders) = (try world.player(2), try [10, 11, 12].map { try world.player($0) })
    for sender in senders {
      try world.befriend(sender, ben)
      for _ in 0..<90 { try world.driver.call(SendRequest(to: [ben]), as: sender) }
    }
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestReceived.self, of: ben).count == 200)
    let dropped = try senders.map { try world.events(RequestDropped.self, of: $0) }
    #expect(dropped.map(\.count) == [0, 0, 70])
    #expect(
      dropped[2].allSatisfy { $0.outcome == .rateLimited && $0.retryAfterMilliseconds == 10_000 })
    world.driver.clock += 10_000
    try world.driver.call(SendRequest(to: [ben]), as: senders[2])
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestReceived.self, of: ben).count == 201)
  }

  @Test("2.10 2.11 one sender uses up a part of a recipient's budget, which a restart keeps")
  func shareOfBudget() throws {
    let (ben, senders) = (try world.player(2), try [world.player(10), world.player(11)])
    for sender in senders { try world.befriend(sender, ben) }
    for _ in 0..<120 { try world.driver.call(SendRequest(to: [ben]), as: senders[0]) }
    try world.driver.deliverOwnEffects()
    try world.restart()
    try world.driver.call(SendRequest(to: [ben]), as: senders[0])
    for _ in 0..<90 { try world.driver.call(SendRequest(to: [ben]), as: senders[1]) }
    try world.driver.deliverOwnEffects()
    let dropped = try world.events(RequestDropped.self, of: senders[0])
    #expect(dropped.count == 21)
    // What is not on the list takes none of the budget, so the list's bound is told first.
    #expect(dropped.allSatisfy { $0.outcome == .limitReached && $0.retryAfterMilliseconds == 0 })
    #expect(try world.events(RequestDropped.self, of: senders[1]).isEmpty)
    while let request = try world.driver.call(Inbox(), as: ben).requests.first?.request {
      try world.driver.call(DeleteRequest(request), as: ben)
    }
    try world.restart()
    for sender in senders { try world.driver.call(SendRequest(to: [ben]), as: sender) }
    try world.driver.deliverOwnEffects()
    let last = try #require(try world.events(RequestDropped.self, of: senders[0]).last)
    #expect(last.outcome == .rateLimited && last.retryAfterMilliseconds == 20_000)
    #expect(try world.driver.call(Inbox(), as: ben).requests.map(\.sender) == [senders[1]])
  }

  @Test("2.10 2.11 what the budget of all senders refuses takes nothing of its sender's share")
  func refusedShare() throws {
    let settings: [NumberSetting: Int] = [
      .receiveBurst: 4, .receiveRefill: 10, .receivePerSenderBurst: 3,
      .receivePerSenderRefill: 1000,
    ]
    let world = World(settings: settings)
    let (ben, senders) = (try world.player(2), try [world.player(10), world.player(11)])
    for sender in senders { try world.befriend(sender, ben) }
    func send(_ count: Int, _ sender: PlayerID) throws {
      for _ in 0..<count { try world.driver.call(SendRequest(to: [ben]), as: sender) }
      try world.driver.deliverOwnEffects()
    }
    try send(3, senders[0])
    try send(4, senders[1])
    let first = try world.events(RequestDropped.self, of: senders[1])
    #expect(first.map(\.retryAfterMilliseconds) == [10_000, 10_000, 10_000])
    world.driver.clock += 20_000
    try send(2, senders[1])
    #expect(try world.events(RequestDropped.self, of: senders[1]).count == 3, "two of three left")
    #expect(try world.driver.call(Inbox(), as: ben).requests.count == 6)
    world.driver.clock += 20_000
    try send(1, senders[1])
    let last = try #require(try world.events(RequestDropped.self, of: senders[1]).last)
    #expect(last.outcome == .rateLimited && last.retryAfterMilliseconds == 960_000)
  }

  @Test("2.10 2.11 no game uses up what a recipient may get in another")
  func budgetOfGame() throws {
    let settings: [NumberSetting: Int] = [.receiveBurst: 2]
    let world = World(settings: settings)
    let (ben, anna, carl) = (try world.player(2), try world.player(1), try world.player(3))
    for sender in [anna, carl] {
      try world.befriend(sender, ben)
      for game in ["b", "c", "d"] { try world.open(sender, game: game) }
    }
    try world.open(ben, game: "b")
    func dropped(_ sender: PlayerID, _ game: String) throws -> Int {
      try world.call(SendRequest(to: [ben]), as: sender, game: game)
      try world.driver.deliverOwnEffects()
      return try world.events(RequestDropped.self, of: sender, game: game).count
    }
    #expect(try (0..<4).map { _ in try dropped(anna, "game") } == [0, 0, 1, 2])
    try world.restart(settings: settings)
    #expect(try dropped(carl, "game") == 1 && dropped(carl, "b") == 0 && dropped(anna, "b") == 0)
    #expect(try dropped(carl, "b") == 1)
    // Of games that Ben has never signed in to there may be any number: they are as one.
    #expect(try dropped(anna, "c") == 0 && dropped(carl, "d") == 0)
    #expect(try dropped(anna, "d") == 1 && dropped(carl, "c") == 1)
  }

  @Test("2.4 2.11 a recipient's lists have a bound over all games, and each game some room")
  func fullInboxes() throws {
    let settings: [NumberSetting: Int] = [.inboxMax: 10, .inboxTotal: 20]
    let world = World(settings: settings)
    let (ben, anna, carl) = (try world.player(2), try world.player(1), try world.player(3))
    for sender in [anna, carl] { try world.befriend(sender, ben) }
    let games = (0..<5).map { "game \($0)" }
    for player in [anna, ben, carl] { for game in games { try world.open(player, game: game) } }
    func dropped(_ sender: PlayerID, _ game: String) throws -> [DeliveryOutcome] {
      try world.call(SendRequest(to: [ben]), as: sender, game: game)
      try world.driver.deliverOwnEffects()
      return try world.events(RequestDropped.self, of: sender, game: game).map(\.outcome)
    }
    for game in games.prefix(4) {
      for _ in 0..<5 { #expect(try dropped(anna, game).isEmpty) }
    }
    #expect(try dropped(carl, games[0]) == [.limitReached])
    #expect(try dropped(carl, games[4]).isEmpty, "one in each game")
    try world.restart(settings: settings)
    #expect(try dropped(anna, games[4]) == [.limitReached])
    for _ in 0..<2 {
      let first = try #require(try world.call(Inbox(), as: ben, game: games[0]).requests.first)
      try world.call(DeleteRequest(first.request), as: ben, game: games[0])
    }
    #expect(try dropped(carl, games[0]) == [.limitReached], "room for one")
  }

  @Test("2.4 2.11 a game's full list of requests drops, and the sender is told; others have room")
  func fullInbox() throws {
    let settings: [NumberSetting: Int] = [.inboxMax: 10, .inboxPerSender: 4]
    let world = World(settings: settings)
    let (ben, senders) = (try world.player(2), try (10...13).map { try world.player($0) })
    for sender in senders { try world.befriend(sender, ben) }
    func send(_ sender: PlayerID, game: String = "game") throws -> DeliveryOutcome? {
      let before = try world.stream(of: sender, game: game).count
      try world.call(SendRequest(to: [ben]), as: sender, game: game)
      try world.driver.deliverOwnEffects()
      return try world.stream(of: sender, game: game).dropFirst(before).first
        .map { try RequestDropped(decoding: $0.body.array).outcome }
    }
    for sender in senders { for _ in 0..<2 { #expect(try send(sender) == nil) } }
    for _ in 0..<2 { #expect(try send(senders[0]) == nil) }
    #expect(try send(senders[0]) == .limitReached, "the sender has four")
    #expect(try send(senders[1]) == .limitReached, "the game has ten")
    // Ben plays the second game, and has never signed in to the two others.
    for sender in senders { for game in ["b", "c", "d"] { try world.open(sender, game: game) } }
    try world.open(ben, game: "b")
    #expect(try send(senders[0], game: "b") == nil, "another game has room")
    for sender in senders.prefix(2) {
      for game in ["c", "d"] { for _ in 0..<2 { #expect(try send(sender, game: game) == nil) } }
      #expect(try send(sender, game: "c") == .limitReached, "four in foreign games")
    }
    try world.restart(settings: settings)
    for sender in senders.suffix(2) { #expect(try send(sender, game: "c") == nil) }
    #expect(try send(senders[2], game: "d") == .limitReached, "ten in foreign games")
    #expect(try send(senders[2]) == .limitReached && send(senders[2], game: "b") == nil)
    // With a request less on the list there is room for one.
    let request = try #require(try world.driver.call(Inbox(), as: ben).requests.first)
    try world.driver.call(AnswerRequest(request.request, accept: true), as: ben)
    try world.driver.deliverOwnEffects()
    #expect(try send(senders[3]) == nil)
  }

  @Test("2.4 who asks for it is told that a request has arrived, once, and of nobody else")
  func receipts() throws {
    let (anna, ben, carl) = (try world.player(1), try world.player(2), try world.player(3))
    for other in [ben, carl] { try world.befriend(anna, other) }
    try world.driver.call(BlockPlayer(anna), as: carl)
    var request = SendRequest(to: [ben, carl])
    request.wantsReceipts = true
    let reply = try world.driver.call(request, as: anna)
    #expect(reply.recipients.map(\.outcome) == [.queued, .queued])
    #expect(try world.events(RequestDelivered.self, of: anna).isEmpty)
    #expect(try world.driver.deliverFirst(DeliverRequest.self, isDoubled: true))
    try world.driver.deliverOwnEffects()
    let delivered = try world.events(RequestDelivered.self, of: anna)
    #expect(delivered.map(\.request) == [reply.request] && delivered.map(\.recipient) == [ben])
    #expect(try world.events(RequestDropped.self, of: anna).map(\.recipient) == [carl])
    // Without being asked for, it is not told.
    try world.driver.call(SendRequest(to: [ben]), as: anna)
    try world.driver.deliverOwnEffects()
    #expect(try world.driver.call(Inbox(), as: ben).requests.count == 2)
    #expect(try world.events(RequestDelivered.self, of: anna).count == 1)
  }

  @Test("2.9 2.4 blocked, unknown, erased and no friends look alike, also to who asks for receipts")
  func alike() throws {
    let (anna, ben, carl) = (try world.player(1), try world.player(2), try world.player(3))
    let dan = try world.player(4)
    try world.befriend(anna, ben)
    try world.driver.call(BlockPlayer(anna), as: ben)
    try world.driver.deliverOwnEffects()
    world.driver.effects = []
    var request = SendRequest(to: [ben, carl, .sample(99), anna, PlayerID()])
    request.recipients.append(InviteToken(sender: anna, id: .sample(5)).description)
    request.recipients.append(InviteToken(sender: ben, id: .sample(5)).description)
    request.wantsReceipts = true
    let outcomes = try world.driver.call(request, as: anna).recipients.map(\.outcome)
    #expect(outcomes == Array(repeating: .notReachable, count: 7))
    #expect(world.driver.effects.isEmpty)
    // A friend who blocks her and one whose friendship has ended, before she has heard of either.
    for friend in [carl, dan] { try world.befriend(anna, friend) }
    try world.driver.call(BlockPlayer(anna), as: carl)
    try world.driver.call(RemoveFriend(anna), as: dan)
    request.recipients = [carl.description, dan.description]
    let late = try world.driver.call(request, as: anna).recipients.map(\.outcome)
    #expect(late == [.queued, .queued])
    try world.driver.deliverOwnEffects()
    var told = try world.events(RequestDropped.self, of: anna)
    #expect(Set(told.map(\.recipient)) == [carl, dan] && told.count == 2)
    for index in told.indices { told[index].recipient = PlayerID() }
    #expect(told[0].encoded == told[1].encoded && told[0].outcome == .notReachable)
    #expect(try world.events(RequestDelivered.self, of: anna).isEmpty)
  }
}
